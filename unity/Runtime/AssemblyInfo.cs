using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Gamewire.Riptide.Tests")]
