using System;
using System.Collections.Generic;
using System.IO;
using System.Numerics;
using System.Threading;
using Riptide;

/// <summary>Sends a message of each generated class to an echo server, and compares what returns: <c>classes ADDRESS</c>.</summary>
public static class Classes
{
    public static int Main(string[] arguments)
    {
        Singles singles = new Singles
        {
            flag = true, a = 200, b = -100, c = -30000, d = 60000, e = int.MinValue, f = uint.MaxValue, g = long.MinValue,
            h = ulong.MaxValue, small = -5, large = ulong.MaxValue - 1, spot = new Vector3(1, -2, 0.5f),
            turn = new Quaternion(0, 0, 1, 0), half = 0.5f, whole = -1e300, three = 5, twelve = 4000, thirty = 1u << 29,
            flags = 0xffffffffff, inner = NewPart(7), words = "Grüße",
        };
        Lists lists = new Lists
        {
            grid = new byte[] { 1, 2, 3, 4, 5 }, flags = new[] { true, false, true }, pair = new[] { 5, -5 },
            parts = new[] { NewPart(1), NewPart(2) }, places = new[] { new Vector2(1, 2) },
            numbers = new short[] { -1, 2 }, names = new[] { "a", "", "ö" },
        };
        Client client = new Client(new Riptide.Transports.Udp.UdpClient());
        List<string> received = new List<string>();
        client.MessageReceived += (sender, e) =>
        {
            // Serialized again, so that all values are compared.
            bool isSingles = e.MessageId == Singles.Id;
            Message again = isSingles ? Singles.FromMessage(e.Message).ToMessage() : Lists.FromMessage(e.Message).ToMessage();
            received.Add(Bits(again));
        };
        if (!client.Connect(arguments[0], useMessageHandlers: false))
            return 2;
        DateTime end = DateTime.UtcNow.AddSeconds(100);
        List<string> sent = new List<string>();
        while (received.Count < 2)
        {
            if (DateTime.UtcNow > end)
                throw new TimeoutException();
            client.Update();
            Thread.Sleep(2);
            if (!client.IsConnected || sent.Count > received.Count || sent.Count == 2)
                continue;
            sent.Add(Bits(sent.Count == 0 ? singles.ToMessage() : lists.ToMessage()));
            client.Send(sent.Count == 1 ? singles.ToMessage() : lists.ToMessage());
        }
        client.Disconnect();
        if (received[0] != sent[0] || received[1] != sent[1])
            throw new InvalidDataException("other values returned");
        CheckBadCounts();
        Console.WriteLine("both returned");
        return 0;
    }

    /// <summary>A count that the message cannot have is an error in the log, and an array that has another length than its
    /// message cannot be sent.</summary>
    private static void CheckBadCounts()
    {
        Message bad = Message.Create(MessageSendMode.Unreliable, Lists.Id);
        bad.GetVarULong();
        for (int i = 0; i < 5; i++)
            bad.AddByte(1);
        bad.AddVarULong(ulong.MaxValue);
        if (Lists.FromMessage(bad).flags.Length != 0)
            throw new InvalidDataException("values that are not there");
        try
        {
            new Lists { pair = new int[3] }.ToMessage();
        }
        catch (ArgumentException)
        {
            return;
        }
        throw new InvalidDataException("three values of a pair");
    }

    private static Part NewPart(byte ammo)
    {
        return new Part { ammo = ammo, @event = "part " + ammo, where = new Vector2(ammo, -1), mods = new[] { true, false, true, true } };
    }

    /// <summary>Returns all values of a message that was not sent.</summary>
    private static string Bits(Message message)
    {
        List<char> bits = new List<char>();
        while (message.UnreadBits > 0)
            bits.Add(message.GetBool() ? '1' : '0');
        return new string(bits.ToArray());
    }
}
