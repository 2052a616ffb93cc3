using System;
using System.Collections.Generic;
using Riptide;

/// <summary>A client of the rooms server, gamewire's example <c>riptide_rooms</c>. Call <see cref="Update"/> in
/// <c>FixedUpdate</c>, and read the players of the room in <see cref="Players"/>.</summary>
public sealed class RoomsClient
{
    /// <summary>A player of the room.</summary>
    public sealed class Player
    {
        public string Name;
        public float X;
        public float Y;
    }

    private const ushort Steer = 1, Positions = 2, Say = 3, ChatLine = 4, Members = 5;

    private readonly Client client;
    private uint steered;
    private uint newestTick;
    private uint newestChange;

    /// <summary>The players of the room by their ids, the own one included.</summary>
    public readonly Dictionary<ushort, Player> Players = new Dictionary<ushort, Player>();

    /// <summary>Players entered or left the room, or this player changed to another one: its name.</summary>
    public event Action<string> MembersChanged;
    /// <summary>A line of chat: its speaker and its text. The server's own lines have no speaker.</summary>
    public event Action<string, string> Chat;
    /// <summary>The server did not let the player in: its reason.</summary>
    public event Action<string> Refused;
    /// <summary>The session ended.</summary>
    public event Action<DisconnectReason> Ended;

    /// <param name="client">A client with the transport of your choice, as <c>new Client(new AnyClient())</c>.</param>
    public RoomsClient(Client client)
    {
        this.client = client;
        client.MessageReceived += (sender, e) => Handle(e.MessageId, e.Message);
        client.ConnectionFailed += (sender, e) =>
            Raise(Refused, e.Message == null ? e.Reason.ToString() : e.Message.GetString());
        client.Disconnected += (sender, e) => Raise(Ended, e.Reason);
    }

    /// <summary>Connects with a token of the player, and enters a room.</summary>
    public bool Connect(string address, string token, string room)
    {
        Players.Clear();
        steered = newestTick = newestChange = 0;
        Message data = Message.Create().AddString(token).AddString(room);
        return client.Connect(address, message: data, useMessageHandlers: false);
    }

    /// <summary>Receives what arrived, and sends what is due.</summary>
    public void Update()
    {
        client.Update();
    }

    /// <summary>Moves in a direction of at most length 1 from now on.</summary>
    public void Move(float x, float y)
    {
        client.Send(Message.Create(MessageSendMode.Unreliable, Steer).AddUInt(++steered).AddFloat(x).AddFloat(y));
    }

    /// <summary>Sends a line of chat, or a command such as <c>/room NAME</c>.</summary>
    public void SendChat(string text)
    {
        client.Send(Message.Create(MessageSendMode.Reliable, Say).AddString(text));
    }

    private void Handle(ushort id, Message message)
    {
        switch (id)
        {
            case Positions:
                Place(message);
                break;
            case ChatLine:
                string name = message.GetString();
                if (Chat != null)
                    Chat(name, message.GetString());
                break;
            case Members:
                TakeMembers(message);
                break;
        }
    }

    /// <summary>Takes the list of all players. Reliable messages may overtake each other: older ones are
    /// ignored.</summary>
    private void TakeMembers(Message message)
    {
        uint change = message.GetUInt();
        if (change < newestChange)
            return;
        newestChange = change;
        string room = message.GetString();
        Dictionary<ushort, Player> before = new Dictionary<ushort, Player>(Players);
        Players.Clear();
        for (ulong left = message.GetVarULong(); left > 0; left--)
        {
            ushort id = message.GetUShort();
            string name = message.GetString();
            Player player;
            if (!before.TryGetValue(id, out player) || player.Name != name)
                player = new Player { Name = name };
            Players[id] = player;
        }
        Raise(MembersChanged, room);
    }

    /// <summary>Takes the positions of all players. Unreliable messages may arrive late: older ones are ignored.</summary>
    private void Place(Message message)
    {
        uint tick = message.GetUInt();
        if (tick < newestTick)
            return;
        newestTick = tick;
        for (ulong left = message.GetVarULong(); left > 0; left--)
        {
            ushort id = message.GetUShort();
            float x = message.GetFloat(), y = message.GetFloat();
            Player player;
            if (Players.TryGetValue(id, out player))
            {
                player.X = x;
                player.Y = y;
            }
        }
    }

    private static void Raise<T>(Action<T> handlers, T value)
    {
        if (handlers != null)
            handlers(value);
    }
}
