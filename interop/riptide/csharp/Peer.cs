// One end of a connection over UDP with the C# library, which sends the numbers that it reads: `server PORT` or
// `client PORT`. Prints `started`, `connected`, `got NUMBER`, and `disconnected REASON`.
using System;
using System.Collections.Concurrent;
using System.Threading;
using Riptide;
using Riptide.Utils;

internal static class Program
{
    private static void Main(string[] args)
    {
        RiptideLogger.Initialize(text => Console.Error.WriteLine(text), true);
        var lines = new ConcurrentQueue<string>();
        var hasInput = true;
        new Thread(() =>
        {
            for (string line; (line = Console.ReadLine()) != null;)
                lines.Enqueue(line);
            hasInput = false;
        }) { IsBackground = true }.Start();

        Action update;
        Action<Message> send;
        if (args[0] == "server")
        {
            var server = new Server();
            server.ClientConnected += (_, e) => Console.WriteLine("connected");
            server.ClientDisconnected += (_, e) => Console.WriteLine("disconnected " + e.Reason);
            server.MessageReceived += (_, e) => Console.WriteLine("got " + e.Message.GetInt());
            server.Start(ushort.Parse(args[1]), 2);
            update = server.Update;
            send = message => server.SendToAll(message);
        }
        else
        {
            var client = new Client();
            client.Connected += (_, e) => Console.WriteLine("connected");
            client.ConnectionFailed += (_, e) => Console.WriteLine("failed");
            client.Disconnected += (_, e) => Console.WriteLine("disconnected " + e.Reason);
            client.MessageReceived += (_, e) => Console.WriteLine("got " + e.Message.GetInt());
            client.Connect("127.0.0.1:" + args[1]);
            update = client.Update;
            send = message => client.Send(message);
        }
        Console.WriteLine("started");
        while (hasInput || !lines.IsEmpty)
        {
            for (string line; lines.TryDequeue(out line);)
                send(Message.Create(MessageSendMode.Reliable, 10).AddInt(int.Parse(line)));
            update();
            Thread.Sleep(10);
        }
    }
}
