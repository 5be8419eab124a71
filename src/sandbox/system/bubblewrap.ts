/** The command line of bubblewrap for a plan. Pure. */
import { hasDeeper, type Place, type SandboxPlan } from '../plan/plan';

export interface BubblewrapOptions {
  readonly plan: SandboxPlan;
  /** The working directory inside. */
  readonly cwd: string;
  /** Folders and files outside that are mounted in place of private, unreadable and empty places. */
  readonly stand: StandIns;
  /** Absolute paths of files outside the plan's places that must be readable. */
  readonly reads: readonly string[];
  /** The folder with the proxy's socket, mounted at {@link SOCKET_FOLDER}. */
  readonly socketFolder: string;
  /** True when the program has no terminal: it gets a session of its own, so that it cannot type into another program's terminal. */
  readonly hasOwnSession: boolean;
}

export interface StandIns {
  /** Returns the folder that is mounted at a private place. */
  privateFolder(path: string): string;
  readonly unreadableFolder: string;
  readonly unreadableFile: string;
  readonly emptyFile: string;
}

/** The folder of the proxy's socket inside. */
export const SOCKET_FOLDER = '/run/acp-host';

/** Folders below `/run` that programs of a system need. The rest is sockets of services. */
const RUN = [
  '/run/current-system',
  '/run/booted-system',
  '/run/opengl-driver',
  '/run/systemd/resolve/resolv.conf',
  '/run/resolvconf/resolv.conf',
];

/** The folder for shared memory. */
const SHARED = '/dev/shm/';

/** Returns the arguments up to `--`. The program and its arguments follow. */
export function bubblewrapArguments({ plan, cwd, stand, reads, socketFolder, hasOwnSession }: BubblewrapOptions): string[] {
  return [
    // Not the user's identifiers, but those of a namespace of its own. Its processes cannot see, signal or trace processes outside.
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-net', '--cap-drop', 'ALL'],
    ...['--die-with-parent', ...(hasOwnSession ? ['--new-session'] : [])],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    // The new `/dev` has an empty folder for shared memory, in which programs can write. Folders of the user in there need the real one.
    ...([cwd, ...reads, ...plan.places.map(({ path }) => path)].some((each) => each.startsWith(SHARED))
      ? ['--ro-bind', SHARED, SHARED]
      : []),
    ...[
      '--tmpfs',
      '/run',
      ...RUN.flatMap((each) => ['--ro-bind-try', each, each]),
      '--ro-bind',
      socketFolder,
      SOCKET_FOLDER,
      '--remount-ro',
      '/run',
    ],
    ...plan.places.flatMap((place) => mountOf(place, plan, stand)),
    // Mount points below an unreadable folder are made first.
    ...plan.places.flatMap((place) => (isBase(place, plan) ? ['--remount-ro', place.path] : [])),
    ...['--chdir', cwd, '--'],
  ];
}

function mountOf(place: Place, plan: SandboxPlan, stand: StandIns): readonly string[] {
  const { path, access, isFolder } = place;
  switch (access) {
    case 'write':
      return ['--bind', path, path];
    case 'read':
      return ['--ro-bind', path, path];
    case 'private':
      return ['--bind', stand.privateFolder(path), path];
    case 'empty':
      return ['--ro-bind', stand.emptyFile, path];
    case 'none':
      return isBase(place, plan) ? ['--tmpfs', path] : ['--ro-bind', isFolder ? stand.unreadableFolder : stand.unreadableFile, path];
  }
}

/** True for an unreadable folder with readable places in it. */
function isBase(place: Place, plan: SandboxPlan): boolean {
  return place.access === 'none' && place.isFolder && hasDeeper(place, plan);
}
