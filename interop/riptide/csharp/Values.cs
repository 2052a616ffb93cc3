// The other side of the examples of the Python port, with the C# library: `values udp|tcp`, `hello udp|tcp` or
// `server udp|tcp`. `values` sends 24 values and prints the ids of those that return unchanged; `hello` sends a text and
// prints the texts that it receives; `server` sends each text that it receives to all clients. The port is 7777.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Riptide;
using Riptide.Transports;
using Riptide.Transports.Tcp;
using Riptide.Transports.Udp;
using Riptide.Utils;

internal static class Program
{
    private const ushort Port = 7777;
    private const ushort Hello = 42;
    // The id of an array of bools. A server of the Python port ends when it reads one, so it is the last to be sent.
    private const ushort Bools = 1;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(15);

    // They write each value, and return whether the next value of a message equals it. The index is the id of the message.
    private static readonly List<Action<Message>> Writers = new List<Action<Message>>();
    private static readonly List<Func<Message, bool>> Comparers = new List<Func<Message, bool>>();

    private static void Main(string[] args)
    {
        RiptideLogger.Initialize(text => Console.Error.WriteLine(text), true);
        var isTcp = args[1] == "tcp";
        if (args[0] == "server")
            Serve(isTcp ? (IServer)new TcpServer() : new UdpServer());
        else
            Play(args[0] == "hello", isTcp ? (IClient)new TcpClient() : new UdpClient());
    }

    private static void Serve(IServer transport)
    {
        var server = new Server(transport);
        server.MessageReceived += (_, e) =>
        {
            var text = e.Message.GetString();
            Console.WriteLine(text);
            server.SendToAll(Message.Create(MessageSendMode.Reliable, Hello).AddString(text));
        };
        server.Start(Port, 10, 0, false);
        Console.WriteLine("started");
        for (;; Thread.Sleep(10))
            server.Update();
    }

    private static void Play(bool saysHello, IClient transport)
    {
        Add(true, (m, v) => m.AddBool(v), m => m.GetBool(), (m, v) => m.AddBools(v), m => m.GetBools(), false);
        Add<byte>(255, (m, v) => m.AddByte(v), m => m.GetByte(), (m, v) => m.AddBytes(v), m => m.GetBytes(), 1);
        Add<sbyte>(-128, (m, v) => m.AddSByte(v), m => m.GetSByte(), (m, v) => m.AddSBytes(v), m => m.GetSBytes(), 1);
        Add<short>(-32768, (m, v) => m.AddShort(v), m => m.GetShort(), (m, v) => m.AddShorts(v), m => m.GetShorts(), 1);
        Add<ushort>(65535, (m, v) => m.AddUShort(v), m => m.GetUShort(), (m, v) => m.AddUShorts(v), m => m.GetUShorts(), 1);
        Add(int.MinValue, (m, v) => m.AddInt(v), m => m.GetInt(), (m, v) => m.AddInts(v), m => m.GetInts(), 1);
        Add(uint.MaxValue, (m, v) => m.AddUInt(v), m => m.GetUInt(), (m, v) => m.AddUInts(v), m => m.GetUInts(), 1u);
        Add(long.MinValue, (m, v) => m.AddLong(v), m => m.GetLong(), (m, v) => m.AddLongs(v), m => m.GetLongs(), 1);
        Add(ulong.MaxValue, (m, v) => m.AddULong(v), m => m.GetULong(), (m, v) => m.AddULongs(v), m => m.GetULongs(), 1ul);
        Add(0.5f, (m, v) => m.AddFloat(v), m => m.GetFloat(), (m, v) => m.AddFloats(v), m => m.GetFloats(), -1.25f);
        Add(1e300, (m, v) => m.AddDouble(v), m => m.GetDouble(), (m, v) => m.AddDoubles(v), m => m.GetDoubles(), -1.25);
        Add("Hello World !", (m, v) => m.AddString(v), m => m.GetString(), (m, v) => m.AddStrings(v), m => m.GetStrings(), "");

        var client = new Client(transport);
        var isOver = false;
        var equal = new SortedSet<int>();
        client.ConnectionFailed += (_, e) => isOver = true;
        client.Connected += (_, e) =>
        {
            if (saysHello)
                client.Send(Message.Create(MessageSendMode.Reliable, Hello).AddString("Hello World !"));
            for (ushort id = 0; id < Writers.Count && !saysHello; id++)
                if (id != Bools)
                    Send(client, id);
        };
        client.MessageReceived += (_, e) =>
        {
            if (saysHello)
                Console.WriteLine("received: " + e.Message.GetString());
            else if (Comparers[e.MessageId](e.Message))
                equal.Add(e.MessageId);
            isOver = saysHello || equal.Count == Writers.Count;
            if (equal.Count == Writers.Count - 1)
                Send(client, Bools);
        };
        client.Connect("127.0.0.1:" + Port, useMessageHandlers: false);
        for (var end = DateTime.UtcNow + Limit; !isOver && DateTime.UtcNow < end; Thread.Sleep(10))
            client.Update();
        if (!saysHello)
            Console.WriteLine("received: " + string.Join(" ", equal));
        client.Disconnect();
    }

    private static void Send(Client client, ushort id)
    {
        var message = Message.Create(MessageSendMode.Unreliable, id);
        Writers[id](message);
        client.Send(message);
    }

    // Adds a value, and the array of it and another one.
    private static void Add<T>(
        T value, Action<Message, T> add, Func<Message, T> get, Action<Message, T[]> addAll, Func<Message, T[]> getAll, T other)
    {
        var array = new[] { value, other, value };
        Writers.Add(m => add(m, value));
        Comparers.Add(m => get(m).Equals(value));
        Writers.Add(m => addAll(m, array));
        Comparers.Add(m => getAll(m).SequenceEqual(array));
    }
}
