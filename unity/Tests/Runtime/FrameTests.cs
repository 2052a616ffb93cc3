using System;
using System.Collections.Generic;
using Gamewire.WebSockets;

namespace Gamewire.Tests
{
    /// <summary>Frames as a server reads and writes them.</summary>
    public static class FrameTests
    {
        private const int Max = 1231;

        /// <summary>A masked frame, its length in the shortest form.</summary>
        internal static byte[] Frame(int first, byte[] payload)
        {
            List<byte> frame = new List<byte> { (byte)first };
            if (payload.Length < 126)
                frame.Add((byte)(0x80 | payload.Length));
            else
            {
                frame.Add(0x80 | 126);
                frame.Add((byte)(payload.Length >> 8));
                frame.Add((byte)payload.Length);
            }
            byte[] mask = { 0x12, 0x80, 0xFF, 0x07 };
            frame.AddRange(mask);
            for (int i = 0; i < payload.Length; i++)
                frame.Add((byte)(payload[i] ^ mask[i & 3]));
            return frame.ToArray();
        }

        internal static byte[] Filled(int length)
        {
            byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++)
                bytes[i] = (byte)(i * 7 + length);
            return bytes;
        }

        private static byte[] Join(params byte[][] parts)
        {
            List<byte> all = new List<byte>();
            foreach (byte[] part in parts)
                all.AddRange(part);
            return all.ToArray();
        }

        /// <summary>Reads a stream in pieces, and returns the messages and the close code at the end.</summary>
        private static List<byte[]> Read(byte[] stream, int piece, out int code, out int pings)
        {
            FrameReader reader = new FrameReader(Max, true);
            List<byte[]> messages = new List<byte[]>();
            code = 0;
            pings = 0;
            for (int start = 0; start < stream.Length; start += piece)
            {
                int at = start;
                int end = Math.Min(stream.Length, start + piece);
                FrameResult result;
                while ((result = reader.Read(stream, ref at, end)) != FrameResult.None)
                {
                    if (result == FrameResult.Message)
                    {
                        byte[] copy = new byte[reader.MessageLength];
                        Buffer.BlockCopy(reader.Message, 0, copy, 0, copy.Length);
                        messages.Add(copy);
                    }
                    else if (result == FrameResult.Ping)
                        pings++;
                    else
                    {
                        code = result == FrameResult.Close ? 1000 : reader.CloseCode;
                        return messages;
                    }
                }
            }
            return messages;
        }

        private static int CodeOf(params byte[][] frames)
        {
            int code;
            int pings;
            Read(Join(frames), 1 << 20, out code, out pings);
            return code;
        }

        public static void EachWayToSplitAStreamGivesTheSameMessages()
        {
            byte[] stream = Join(
                Frame(0x82, Filled(1)),
                Frame(0x02, Filled(100)),
                Frame(0x89, Filled(5)),
                Frame(0x00, Filled(0)),
                Frame(0x80, Filled(30)),
                Frame(0x82, Filled(0)),
                Frame(0x82, Filled(125)),
                Frame(0x82, Filled(126)),
                Frame(0x82, Filled(Max)),
                Frame(0x88, new byte[] { 3, 0xE8 }));
            for (int piece = 1; piece <= 300; piece++)
            {
                int code;
                int pings;
                List<byte[]> messages = Read(stream, piece, out code, out pings);
                Check.Equal(5, messages.Count, "messages");
                Check.Bytes(Filled(1), messages[0], "first");
                Check.Bytes(Join(Filled(100), Filled(30)), messages[1], "in fragments");
                Check.Bytes(Filled(Max), messages[4], "longest");
                Check.Equal(1, pings, "pings");
                Check.Equal(1000, code, "close code");
            }
        }

        public static void ViolationsHaveTheirCloseCodes()
        {
            byte[] unmasked = { 0x82, 1, 7 };
            Check.Equal(1002, CodeOf(unmasked), "no mask");
            Check.Equal(1002, CodeOf(Frame(0xC2, Filled(1))), "reserved bit");
            Check.Equal(1002, CodeOf(Frame(0x83, Filled(1))), "unknown kind");
            Check.Equal(1002, CodeOf(Frame(0x80, Filled(1))), "continuation without a message");
            Check.Equal(1002, CodeOf(Frame(0x02, Filled(1)), Frame(0x82, Filled(1))), "message in a message");
            Check.Equal(1002, CodeOf(Frame(0x09, Filled(1))), "ping in fragments");
            Check.Equal(1002, CodeOf(Frame(0x89, Filled(126))), "long ping");
            Check.Equal(1002, CodeOf(new byte[] { 0x82, 0xFE, 0, 5, 0, 0, 0, 0 }), "length in too many bytes");
            Check.Equal(1003, CodeOf(Frame(0x81, Filled(1))), "text");
            Check.Equal(1009, CodeOf(Frame(0x82, Filled(Max + 1))), "too long");
            Check.Equal(1009, CodeOf(Frame(0x02, Filled(Max)), Frame(0x80, Filled(1))), "too long in fragments");
            byte[] huge = { 0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0 };
            Check.Equal(1009, CodeOf(huge), "2^64 - 1 bytes");
        }

        public static void FramesWithoutEndAreRefused()
        {
            List<byte[]> fragments = new List<byte[]> { Frame(0x02, Filled(1)) };
            while (fragments.Count < 64)
                fragments.Add(Frame(0x00, Filled(0)));
            Check.Equal(0, CodeOf(fragments.ToArray()), "64 fragments");
            fragments.Add(Frame(0x80, Filled(0)));
            Check.Equal(1002, CodeOf(fragments.ToArray()), "65 fragments");
            foreach (int kind in new[] { 0x82, 0x89, 0x8A })
            {
                List<byte[]> idle = new List<byte[]>();
                while (idle.Count < 64)
                    idle.Add(Frame(kind, Filled(0)));
                Check.Equal(0, CodeOf(idle.ToArray()), "64 frames without a message");
                idle.Add(Frame(kind, Filled(0)));
                Check.Equal(1002, CodeOf(idle.ToArray()), "65 frames without a message");
            }
        }

        public static void WhatIsWrittenIsRead()
        {
            FrameWriter writer = new FrameWriter(1 << 20);
            int[] lengths = { 1, 125, 126, Max, 2, 300 };
            FrameReader reader = new FrameReader(Max, false);
            foreach (int length in lengths)
                Check.That(writer.AddFrame(Opcode.Binary, Filled(length), 0, length), "room for " + length);
            foreach (int length in lengths)
            {
                int at = writer.Start;
                FrameResult result = reader.Read(writer.Bytes, ref at, writer.Start + writer.Length);
                Check.Equal(FrameResult.Message, result, "frame of " + length);
                Check.Equal(length, reader.MessageLength, "length");
                writer.Sent(at - writer.Start);
            }
            Check.Equal(0, writer.Length, "bytes left");
        }

        public static void UnsentBytesAreBounded()
        {
            FrameWriter writer = new FrameWriter(1000);
            int frames = 0;
            while (writer.AddFrame(Opcode.Binary, Filled(98), 0, 98))
                frames++;
            Check.Equal(10, frames, "frames of 100 bytes in 1000 bytes");
            Check.Equal(1000, writer.Length, "bytes");
        }
    }
}
