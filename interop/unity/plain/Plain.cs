using System;
using System.Collections.Generic;
using System.Threading;
using Riptide;
using Riptide.Transports;

/// <summary>A game without the package: <c>plain udp|tcp ADDRESS COUNT</c> sends messages in each mode to an echo server, and
/// ends when each reliable one has returned once.</summary>
public static class Plain
{
    private static int notified;

    public static int Main(string[] arguments)
    {
        int count = int.Parse(arguments[2]);
        bool isTcp = arguments[0] == "tcp";
        IClient transport = isTcp ? (IClient)new Riptide.Transports.Tcp.TcpClient() : new Riptide.Transports.Udp.UdpClient();
        Client client = new Client(transport);
        Dictionary<int, int> received = new Dictionary<int, int>();
        int unreliable = 0;
        client.MessageReceived += (sender, e) =>
        {
            int value = e.Message.GetInt();
            if (e.Message.SendMode == MessageSendMode.Unreliable)
                unreliable++;
            else
                received[value] = received.ContainsKey(value) ? received[value] + 1 : 1;
        };
        client.Disconnected += (sender, e) => Console.WriteLine("disconnected: " + e.Reason);
        if (!client.Connect(arguments[1], useMessageHandlers: false))
            return 2;
        Update(client, () => client.IsConnected);
        client.Connection.CanQualityDisconnect = false;
        client.Connection.NotifyReceived += message => notified++;
        for (int i = 0; i < count; i++)
        {
            client.Send(Message.Create(MessageSendMode.Reliable, 10).AddInt(i).AddString("plain"));
            client.Send(Message.Create(MessageSendMode.Unreliable, 10).AddInt(i));
            client.Send(Message.Create(MessageSendMode.Notify).AddInt(i));
            int sent = i + 1;
            Update(client, () => sent - received.Count < 20);
        }
        Update(client, () => received.Count == count);
        foreach (int times in received.Values)
        {
            if (times != 1)
                return 3;
        }
        if (unreliable == 0)
            return 4;
        Console.WriteLine("returned " + received.Count + ", notify messages: " + notified);
        client.Disconnect();
        return 0;
    }

    private static void Update(Client client, Func<bool> isDone)
    {
        DateTime end = DateTime.UtcNow.AddSeconds(100);
        do
        {
            if (DateTime.UtcNow > end || client.IsNotConnected)
                throw new TimeoutException();
            client.Update();
            Thread.Sleep(1);
        }
        while (!isDone());
    }
}
