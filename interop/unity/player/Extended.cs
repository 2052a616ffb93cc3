using System;
using System.Collections.Generic;
using Gamewire;
using Gamewire.Messages;
using Riptide;

/// <summary>Ordered and large messages to an echo server with the extension.</summary>
internal static class Extended
{
    internal static void Run(Client client, ClientExtension extension, int count)
    {
        List<int> received = new List<int>();
        byte[] large = null;
        int steps = 0;
        client.MessageReceived += (sender, e) =>
        {
            if (e.MessageId == 10)
                received.Add(e.Message.GetInt());
        };
        extension.HandleLarge(30, (from, data) => large = data);
        extension.ReceiveProgress += (from, id, bytes, total) => steps++;
        byte[] sent = new byte[1 << 20];
        new Random(1).NextBytes(sent);
        Player.Update(client, () => extension.IsReady);
        for (int i = 0; i < count; i++)
        {
            if (i == count / 2 && !client.SendLarge(30, sent))
                throw new InvalidOperationException("the large message was not sent");
            if (!client.SendOrdered(Message.Create(MessageSendMode.Reliable, 10).AddInt(i)))
                throw new InvalidOperationException("message " + i + " was not sent");
        }
        Player.Update(client, () => received.Count == count && large != null && extension.QueuedBytes == 0);
        for (int i = 0; i < count; i++)
        {
            if (received[i] != i)
                throw new InvalidOperationException("message " + received[i] + " instead of " + i);
        }
        for (int i = 0; i < sent.Length; i++)
        {
            if (large.Length != sent.Length || large[i] != sent[i])
                throw new InvalidOperationException("the large message changed");
        }
        Console.WriteLine("in order: {0}, large: {1} bytes in {2} parts", count, large.Length, steps);
    }
}
