using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;
using System.Threading;

namespace Gamewire.Tests
{
    /// <summary>Runs the tests: all public static methods of the classes whose names end with Tests. Arguments choose
    /// those whose names contain one of them.</summary>
    public static class Program
    {
        public static int Main(string[] names)
        {
            int passed = 0;
            int failed = 0;
            foreach (KeyValuePair<string, MethodInfo> test in Find(names))
            {
                Stopwatch time = Stopwatch.StartNew();
                try
                {
                    test.Value.Invoke(null, null);
                    passed++;
                    Console.WriteLine("test {0} ... ok ({1:F1} s)", test.Key, time.Elapsed.TotalSeconds);
                }
                catch (TargetInvocationException failure)
                {
                    failed++;
                    Console.WriteLine("test {0} ... FAILED\n{1}", test.Key, failure.InnerException);
                }
            }
            Console.WriteLine("test result: {0}. {1} passed; {2} failed", failed == 0 ? "ok" : "FAILED", passed, failed);
            return failed == 0 && passed > 0 ? 0 : 1;
        }

        private static List<KeyValuePair<string, MethodInfo>> Find(string[] names)
        {
            List<KeyValuePair<string, MethodInfo>> found = new List<KeyValuePair<string, MethodInfo>>();
            foreach (Type type in typeof(Program).Assembly.GetTypes())
            {
                if (!type.Name.EndsWith("Tests", StringComparison.Ordinal))
                    continue;
                const BindingFlags Flags = BindingFlags.Static | BindingFlags.Public | BindingFlags.DeclaredOnly;
                foreach (MethodInfo method in type.GetMethods(Flags))
                {
                    string name = type.Name + "." + method.Name;
                    bool isChosen = names.Length == 0 || Array.Exists(names, part => name.Contains(part));
                    if (isChosen && method.GetParameters().Length == 0)
                        found.Add(new KeyValuePair<string, MethodInfo>(name, method));
                }
            }
            return found;
        }
    }

    /// <summary>Assertions of the tests.</summary>
    internal static class Check
    {
        /// <summary>Seconds after which a wait has failed. Only ends what hangs.</summary>
        private const int Limit = 280;

        internal static void That(bool holds, string what)
        {
            if (!holds)
                throw new InvalidOperationException("not true: " + what);
        }

        internal static void Equal<T>(T expected, T actual, string what)
        {
            if (!Equals(expected, actual))
                throw new InvalidOperationException(what + ": expected " + expected + ", got " + actual);
        }

        internal static void Bytes(byte[] expected, byte[] actual, string what)
        {
            Equal(expected.Length, actual.Length, what + ", length");
            for (int i = 0; i < expected.Length; i++)
                Equal(expected[i], actual[i], what + ", byte " + i);
        }

        /// <summary>Calls <paramref name="step"/> until <paramref name="done"/> holds.</summary>
        internal static void Until(Action step, Func<bool> done, string what)
        {
            Stopwatch time = Stopwatch.StartNew();
            while (!done())
            {
                That(time.Elapsed.TotalSeconds < Limit, what + " within " + Limit + " s");
                step();
                Thread.Sleep(1);
            }
        }
    }
}
