/** The profile of macOS's `sandbox-exec` for a plan. Pure. */
import type { SandboxPlan } from '../plan/plan';

export interface SeatbeltOptions {
  readonly plan: SandboxPlan;
  /** The private folder for temporary files, which is writable. */
  readonly temporary: string;
  /** The loopback port of the proxy; undefined without a network. */
  readonly proxyPort: number | undefined;
  /** Loopback ports that the hosts list. */
  readonly ports: readonly number[];
}

/** Services of the system that programs need: names, preferences, certificates, logs. The pasteboard, the key chain and Apple events are not among them. */
const SERVICES = [
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.notification_center',
  'com.apple.system.logger',
  'com.apple.logd',
  'com.apple.cfprefsd.agent',
  'com.apple.cfprefsd.daemon',
  'com.apple.trustd',
  'com.apple.trustd.agent',
  'com.apple.SystemConfiguration.configd',
  'com.apple.dnssd.service',
];

/** Returns the profile. Later rules count more, so places come in the order of the plan: parents first. */
export function seatbeltProfile({ plan, temporary, proxyPort, ports }: SeatbeltOptions): string {
  const rules = [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    // Processes outside cannot be signalled, nor inspected.
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read file-ioctl)',
    '(allow pseudo-tty)',
    '(allow ipc-posix-shm ipc-posix-sem)',
    `(allow mach-lookup ${SERVICES.map((name) => `(global-name ${quoted(name)})`).join(' ')})`,
    '(allow file-read*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
    ...plan.places.flatMap(({ path, access, isFolder }) => {
      const where = `(${isFolder ? 'subpath' : 'literal'} ${quoted(path)})`;
      switch (access) {
        case 'write':
          // A folder that may be written must not be replaced itself.
          return [`(allow file-read* file-write* ${where})`, `(deny file-write-unlink (literal ${quoted(path)}))`];
        case 'read':
          return [`(allow file-read* ${where})`, `(deny file-write* ${where})`];
        // There are no private mounts: other programs' temporary files are unreadable.
        case 'private':
        case 'none':
        case 'empty':
          return [`(deny file-read* file-write* ${where})`];
      }
    }),
    `(allow file-read* file-write* (subpath ${quoted(temporary)}))`,
    '(deny network*)',
    // A test may talk to a server that it has started itself. Services of the machine on other ports stay out of reach.
    '(allow network-bind network-inbound (local ip "localhost:*"))',
    ...[...(proxyPort === undefined ? [] : [proxyPort]), ...ports].map(
      (port) => `(allow network-outbound (remote ip "localhost:${port}"))`,
    ),
  ];
  return `${rules.join('\n')}\n`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
