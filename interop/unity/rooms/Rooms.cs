using System;
using System.Threading;
using Gamewire;
using Riptide;

/// <summary>A player in a room: <c>rooms ADDRESS TOKEN ROOM</c> prints what happens, and does what each line of its
/// standard input says: <c>move X Y</c>, <c>where</c>, or a line of chat.</summary>
public static class Rooms
{
    public static int Main(string[] arguments)
    {
        Client client = new Client(new AnyClient());
        RoomsClient rooms = new RoomsClient(client);
        bool isOver = false;
        string[] typed = { null };
        rooms.MembersChanged += room => Print("members " + room + " " + Names(rooms));
        rooms.Chat += (name, text) => Print("chat " + (name == "" ? "server" : name) + " " + text);
        rooms.Refused += reason => { Print("refused " + reason); isOver = true; };
        rooms.Ended += reason => { Print("ended " + reason); isOver = true; };
        if (!rooms.Connect(arguments[0], arguments[1], arguments[2]))
            return 2;
        Thread reader = new Thread(() => Read(typed)) { IsBackground = true };
        reader.Start();
        while (!isOver)
        {
            rooms.Update();
            string line = Interlocked.Exchange(ref typed[0], null);
            if (line != null)
                Do(rooms, line);
            Thread.Sleep(5);
        }
        return 0;
    }

    private static void Do(RoomsClient rooms, string line)
    {
        string[] words = line.Split(' ');
        if (words[0] == "move")
            rooms.Move(float.Parse(words[1]), float.Parse(words[2]));
        else if (words[0] == "where")
            foreach (RoomsClient.Player player in rooms.Players.Values)
                Print("at " + player.Name + " " + player.X.ToString("F1") + " " + player.Y.ToString("F1"));
        else
            rooms.SendChat(line);
    }

    private static string Names(RoomsClient rooms)
    {
        string names = "";
        foreach (RoomsClient.Player player in rooms.Players.Values)
            names += (names == "" ? "" : ",") + player.Name;
        return names;
    }

    private static void Read(string[] typed)
    {
        string line;
        while ((line = Console.ReadLine()) != null)
            while (Interlocked.CompareExchange(ref typed[0], line, null) != null)
                Thread.Sleep(1);
    }

    private static void Print(string line)
    {
        Console.WriteLine(line);
        Console.Out.Flush();
    }
}
