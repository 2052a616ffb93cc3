using System;
using System.Collections.Generic;
using System.IO;
using System.Text.RegularExpressions;

namespace Gamewire.Tests
{
    /// <summary>The golden vectors of gamewire, in the folder that the variable GAMEWIRE_VECTORS names.</summary>
    internal static class Vectors
    {
        internal static string Path(string file)
        {
            string folder = Environment.GetEnvironmentVariable("GAMEWIRE_VECTORS");
            Check.That(folder != null, "GAMEWIRE_VECTORS names the folder vectors/records of gamewire");
            return System.IO.Path.Combine(folder, file);
        }

        /// <summary>Returns the hexadecimal strings of an object in a JSON file by their names.</summary>
        internal static Dictionary<string, byte[]> ReadJson(string file, string name)
        {
            Dictionary<string, byte[]> values = new Dictionary<string, byte[]>();
            string text = Regex.Match(File.ReadAllText(Path(file)), "\"" + name + "\": \\{([^}]*)\\}").Groups[1].Value;
            foreach (Match match in Regex.Matches(text, "\"(\\w+)\": \"([0-9a-f]+)\""))
                values.Add(match.Groups[1].Value, Hex(match.Groups[2].Value));
            return values;
        }

        internal static byte[] Hex(string text)
        {
            text = text.Replace(" ", "");
            if (text == "-")
                return new byte[0];
            byte[] bytes = new byte[text.Length / 2];
            for (int i = 0; i < bytes.Length; i++)
                bytes[i] = Convert.ToByte(text.Substring(2 * i, 2), 16);
            return bytes;
        }
    }
}
