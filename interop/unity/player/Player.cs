using System;
using System.Collections.Generic;
using System.Threading;
using Gamewire;
using Riptide;

/// <summary>A player with the package: <c>player ADDRESS COUNT</c> sends messages in both modes to an echo server, and
/// ends when each has returned once.</summary>
public static class Player
{
    public static int Main(string[] arguments)
    {
        int count = int.Parse(arguments[1]);
        List<int> received = new List<int>();
        Client client = new Client(new AnyClient());
        client.MessageReceived += (sender, e) =>
        {
            int value = e.Message.GetInt();
            bool isReliable = e.Message.SendMode == MessageSendMode.Reliable;
            if (isReliable != (value % 2 == 0) || e.MessageId != 10)
                throw new InvalidOperationException("another mode or id");
            received.Add(value);
        };
        client.Disconnected += (sender, e) => Console.WriteLine("disconnected: " + e.Reason);
        if (!client.Connect(arguments[0], useMessageHandlers: false))
            return 2;
        Update(client, () => client.IsConnected);
        for (int i = 0; i < count; i++)
        {
            MessageSendMode mode = i % 2 == 0 ? MessageSendMode.Reliable : MessageSendMode.Unreliable;
            client.Send(Message.Create(mode, 10).AddInt(i));
            client.Update();
        }
        Update(client, () => received.Count >= count);
        received.Sort();
        for (int i = 0; i < count; i++)
        {
            if (received[i] != i)
                return 3;
        }
        Console.WriteLine("received " + received.Count);
        client.Disconnect();
        // The transport sends what is queued in a thread of its own.
        Thread.Sleep(300);
        return 0;
    }

    private static void Update(Client client, Func<bool> isDone)
    {
        DateTime end = DateTime.UtcNow.AddSeconds(100);
        while (!isDone())
        {
            if (DateTime.UtcNow > end || client.IsNotConnected)
                throw new TimeoutException();
            client.Update();
            Thread.Sleep(2);
        }
    }
}
