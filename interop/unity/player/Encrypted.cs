using System;
using System.Collections.Generic;
using System.Net;
using System.Threading;
using Gamewire;
using Gamewire.Encryption;
using Riptide;

/// <summary>An encrypted client that changes its address twice, and an encrypted echo server.</summary>
internal static class Encrypted
{
    /// <summary><c>player join ADDRESS COUNT KEY [TOKEN]</c>: sends reliable messages to an echo server, and prints how many
    /// returned and which were repeated.</summary>
    internal static int Join(string[] arguments)
    {
        int count = int.Parse(arguments[2]);
        string token = arguments.Length > 4 ? arguments[4] : "";
        AnyClient transport = new AnyClient { Key = ServerKey.FromHex(arguments[3]).ClientKey(token) };
        Client client = new Client(transport);
        Dictionary<int, int> received = new Dictionary<int, int>();
        int total = 0;
        client.MessageReceived += (sender, e) =>
        {
            int value = e.Message.GetInt();
            received[value] = received.ContainsKey(value) ? received[value] + 1 : 1;
            total++;
        };
        client.Disconnected += (sender, e) => Console.WriteLine("disconnected: " + e.Reason);
        client.ConnectionFailed += (sender, e) =>
            Console.WriteLine("failed: " + ((EncryptedUdpClient)transport.Inner).LastError);
        if (!client.Connect(arguments[1], useMessageHandlers: false))
            return 2;
        EncryptedUdpClient inner = (EncryptedUdpClient)transport.Inner;
        int moves = 0;
        inner.AddressChanged += address => moves++;
        Player.Update(client, () => client.IsConnected);
        for (int i = 0; i < count; i++)
        {
            if (i == count * 3 / 10 || i == count * 7 / 10)
                inner.Rebind();
            client.Send(Message.Create(MessageSendMode.Reliable, 10).AddInt(i));
            client.Update();
            // Riptide 2.1 and 2.2 handle a message twice if 32 or more in a row are late.
            int sent = i + 1;
            Player.Update(client, () => sent - received.Count < 20);
        }
        Player.Update(client, () => received.Count == count && moves == 2);
        // Those that arrive twice would come now.
        for (int i = 0; i < 100; i++)
        {
            client.Update();
            Thread.Sleep(2);
        }
        Console.WriteLine("returned {0} of {1}, moves {2}", received.Count, total, moves);
        client.Disconnect();
        return 0;
    }

    /// <summary><c>player serve KEY</c>: prints its port, and its counters when its standard input ends.</summary>
    internal static int Serve(string[] arguments)
    {
        EncryptedUdpServer transport = new EncryptedUdpServer(ServerKey.FromHex(arguments[1]), IPAddress.Loopback);
        Server server = new Server(transport);
        Dictionary<int, int> received = new Dictionary<int, int>();
        int total = 0;
        server.MessageReceived += (sender, e) =>
        {
            int value = e.Message.GetInt();
            received[value] = 1;
            total++;
            server.Send(Message.Create(e.Message.SendMode, e.MessageId).AddInt(value), e.FromConnection);
        };
        server.ClientConnected += (sender, e) => Print("connected " + e.Client.Id);
        server.ClientDisconnected += (sender, e) => Print("disconnected " + e.Reason);
        transport.AddressChanged += (connection, before) => Print("moved");
        server.Start(0, 10, useMessageHandlers: false);
        Print("port " + transport.Port);
        bool isOver = false;
        Thread reader = new Thread(() => { Console.In.ReadToEnd(); isOver = true; }) { IsBackground = true };
        reader.Start();
        while (!isOver)
        {
            server.Update();
            Thread.Sleep(1);
        }
        EncryptionStats stats = transport.Stats;
        Print("received " + received.Count + " of " + total + ", opened " + stats.Opened + ", moved " + stats.Moved
            + ", replayed " + stats.Replayed + ", forged " + stats.Forged + ", unknown " + stats.UnknownSessions
            + ", wrong keys " + stats.WrongKeys + ", invalid " + stats.Invalid);
        server.Stop();
        return 0;
    }

    private static void Print(string line)
    {
        Console.WriteLine(line);
        Console.Out.Flush();
    }
}
