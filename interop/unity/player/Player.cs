using System;
using System.Collections.Generic;
using System.Threading;
using Gamewire;
using Gamewire.Messages;
using Riptide;

/// <summary>A player with the package: <c>player ADDRESS COUNT</c> sends messages in both modes to an echo server, and
/// ends when each has returned once. <c>player ADDRESS COUNT ordered</c> sends ordered messages and a large one.
/// <c>player join</c> and <c>player serve</c> are encrypted.</summary>
public static class Player
{
    public static int Main(string[] arguments)
    {
        if (arguments[0] == "join")
            return Encrypted.Join(arguments);
        if (arguments[0] == "serve")
            return Encrypted.Serve(arguments);
        int count = int.Parse(arguments[1]);
        List<int> received = new List<int>();
        Client client = new Client(new AnyClient());
        client.MessageReceived += (sender, e) =>
        {
            if (arguments.Length > 2)
                return;
            int value = e.Message.GetInt();
            bool isReliable = e.Message.SendMode == MessageSendMode.Reliable;
            if (isReliable != (value % 2 == 0) || e.MessageId != 10)
                throw new InvalidOperationException("another mode or id");
            received.Add(value);
        };
        client.Disconnected += (sender, e) => Console.WriteLine("disconnected: " + e.Reason);
        bool isExtended = arguments.Length > 2;
        ClientExtension extension = isExtended ? client.UseExtension() : null;
        if (!client.Connect(arguments[0], useMessageHandlers: false))
            return 2;
        if (isExtended)
        {
            Extended.Run(client, extension, count);
            client.Disconnect();
            return 0;
        }
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

    internal static void Update(Client client, Func<bool> isDone)
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
