"""The .meta files of the package. Unity ignores files of an installed package that have none.

`python3 interop/unity/metas.py` writes the missing ones and removes those without a file.
"""

import hashlib
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent.parent / "unity"

IMPORTERS = {
    ".cs": "MonoImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  defaultReferences: []\n"
    "  executionOrder: 0\n  icon: {instanceID: 0}\n",
    ".asmdef": "AssemblyDefinitionImporter:\n  externalObjects: {}\n",
    ".md": "TextScriptImporter:\n  externalObjects: {}\n",
    "package.json": "PackageManifestImporter:\n  externalObjects: {}\n",
    # Only for WebGL, where the editor must not look for it.
    ".jslib": "PluginImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  iconMap: {}\n  executionOrder: {}\n"
    "  defineConstraints: []\n  isPreloaded: 0\n  isOverridable: 0\n  isExplicitlyReferenced: 0\n"
    "  validateReferences: 1\n  platformData:\n"
    "  - first:\n      Any: \n    second:\n      enabled: 0\n      settings: {}\n"
    "  - first:\n      Editor: Editor\n    second:\n      enabled: 0\n      settings:\n        DefaultValueInitialized: true\n"
    "  - first:\n      WebGL: WebGL\n    second:\n      enabled: 1\n      settings: {}\n",
}
FOLDER = "folderAsset: yes\nDefaultImporter:\n  externalObjects: {}\n"
END = "  userData: \n  assetBundleName: \n  assetBundleVariant: \n"


def wanted() -> dict[Path, str]:
    """Returns the path and text of each .meta file."""
    metas = {}
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        # Unity does not import folders whose names end with ~. Samples are copied into a project with their .meta files.
        hidden = [part for part in inside.parts if part.endswith("~")]
        is_sample = hidden == ["Samples~"] and len(inside.parts) > 1
        if path.suffix == ".meta" or (hidden and not is_sample):
            continue
        guid = hashlib.md5(f"net.gamewire.riptide/{inside.as_posix()}".encode()).hexdigest()
        importer = FOLDER if path.is_dir() else IMPORTERS.get(path.name) or IMPORTERS[path.suffix]
        metas[path.with_name(path.name + ".meta")] = f"fileFormatVersion: 2\nguid: {guid}\n{importer}{END}"
    return metas


def present() -> set[Path]:
    """Returns the .meta files of the package."""
    return set(PACKAGE.rglob("*.meta"))


if __name__ == "__main__":
    metas = wanted()
    for path in present() - set(metas):
        path.unlink()
    for path, text in metas.items():
        path.write_text(text)
