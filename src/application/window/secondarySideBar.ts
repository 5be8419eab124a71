/** True when this version of VS Code lets extensions put views into the secondary side bar, which is possible since 1.106. Pure. */
export function hasSecondarySideBar(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 1 || (major === 1 && minor >= 106);
}
