/** The effects of a command line that the user should know of, by tables. Pure. */
import type { Risk } from '../../core/advice/advice';
import { nameOf } from './programs';
import type { CommandReading, CommandSegment } from './reading';

const DELETES = /^(?:rm|rmdir|unlink|shred|del|erase|rd|remove-item|ri|truncate|wipefs|mkfs.*)$/;
const NETWORK =
  /^(?:curl|wget|ssh|scp|sftp|ftp|rsync|nc|ncat|netcat|telnet|ping|dig|nslookup|http|https|xh|aria2c|invoke-webrequest|iwr|invoke-restmethod|irm|start-bitstransfer|gh|az|aws|gcloud|kubectl|helm)$/;
const ADMINISTRATOR = /^(?:sudo|doas|su|pkexec|runas|gsudo)$/;
const INSTALLERS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:i|in|install|add|ci|update|up|upgrade|exec|x|init|create)$/,
  pnpm: /^(?:i|install|add|update|up|dlx|create)$/,
  yarn: /^(?:install|add|up|upgrade|dlx|create)$/,
  bun: /^(?:i|install|add|update|x|create)$/,
  pip: /^(?:install|download)$/,
  pip3: /^(?:install|download)$/,
  pipx: /./,
  uv: /^(?:add|sync|pip|tool)$/,
  poetry: /^(?:add|install|update)$/,
  cargo: /^(?:install|add|update)$/,
  go: /^(?:get|install)$/,
  gem: /^(?:install|update)$/,
  bundle: /^(?:install|update|add)$/,
  composer: /^(?:install|require|update)$/,
  apt: /^(?:install|upgrade|update|remove)$/,
  'apt-get': /^(?:install|upgrade|update|remove)$/,
  brew: /^(?:install|upgrade|update|uninstall)$/,
  dnf: /./,
  yum: /./,
  pacman: /./,
  apk: /./,
  winget: /./,
  choco: /./,
  dotnet: /^(?:add|tool|restore)$/,
  npx: /./,
  bunx: /./,
  uvx: /./,
};
const GIT_NETWORK = /^(?:clone|fetch|pull|push|ls-remote|submodule|remote)$/;
const GIT_DELETES = /^(?:clean|gc|prune|filter-branch)$/;

/** @param isOutside true for an absolute path outside the session's folders */
export function risksOf(reading: CommandReading, isOutside: (path: string) => boolean): readonly Risk[] {
  const risks = new Set<Risk>();
  reading.segments.forEach((segment) => ofSegment(segment, isOutside, risks));
  const isCode = reading.doubts.some(({ code }) =>
    /^(?:command_substitution|process_substitution|code|script|shell|expansion|arithmetic|heredoc_body)$/.test(code),
  );
  void (isCode && risks.add('runs_code'));
  return [...risks];
}

function ofSegment(segment: CommandSegment, isOutside: (path: string) => boolean, risks: Set<Risk>): void {
  const { words, redirections, inner } = segment;
  const [program, ...rest] = words;
  if (program !== undefined) {
    const name = nameOf(program);
    const subcommand = rest.find((word) => word !== undefined && !word.startsWith('-')) ?? '';
    const installs = Object.hasOwn(INSTALLERS, name) && INSTALLERS[name]!.test(subcommand);
    const isGit = name === 'git';
    const isForced = isGit && subcommand === 'reset' && rest.includes('--hard');
    const isFound = name === 'find' && rest.includes('-delete');
    void (DELETES.test(name) && risks.add('deletes'));
    void (((isGit && GIT_DELETES.test(subcommand)) || isForced || isFound) && risks.add('deletes'));
    void ((NETWORK.test(name) || (isGit && GIT_NETWORK.test(subcommand))) && risks.add('network'));
    void (installs && risks.add('installs_packages') && risks.add('network'));
    void (ADMINISTRATOR.test(name) && risks.add('administrator'));
  }
  const paths = [...rest, ...redirections.map(({ target }) => target)].filter((word) => word !== undefined);
  if (paths.some((path) => isPathOutside(path, isOutside))) {
    risks.add('outside_folders');
  }
  inner.forEach((each) => ofSegment(each, isOutside, risks));
}

function isPathOutside(path: string, isOutside: (path: string) => boolean): boolean {
  if (/^~/.test(path) || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) {
    return true;
  }
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path) && !/^\/dev\/(?:null|stdout|stderr|stdin|fd\/\d+|tty)$/.test(path) && isOutside(path);
}
