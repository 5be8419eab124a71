/** The words of registries for platforms. */
const SYSTEMS: Readonly<Record<string, string>> = { darwin: 'darwin', linux: 'linux', win32: 'windows' };
const PROCESSORS: Readonly<Record<string, string>> = { arm64: 'aarch64', x64: 'x86_64' };

/** Returns for example `linux-x86_64`; undefined for a platform that registries do not know. */
export function registryPlatform(system: string = process.platform, processor: string = process.arch): string | undefined {
  const [os, cpu] = [SYSTEMS[system], PROCESSORS[processor]];
  return os && cpu && `${os}-${cpu}`;
}
