/** Options with which a program runs another one, loads code, reaches another machine, or writes a file that its arguments do not name. Pure. */

/**
 * Options by program. `--name`: the long option, all of its beginnings, and the ones that begin with it. `-x`: a word that begins so.
 * `@x`: the letter among others behind one dash. `=name`: the word itself. `~name`: a word that begins so, whatever its case.
 */
const OPTIONS: Readonly<Record<string, string>> = {
  docker:
    '@H --host --url --connection -c --context --config --tls --privileged @v --volume --mount --pid --net --network --cap-add --device ' +
    '--security-opt --env-file --volumes-from --userns --ipc --entrypoint',
  podman:
    '--url --connection -c --remote --privileged @v --volume --mount --pid --net --network --cap-add --device --identity --entrypoint ' +
    '--hooks-dir --conmon --runtime --module --root',
  kubectl:
    '--kubeconfig --context --server @s --token --as --cluster --user --profile --cache-dir --raw --client --certificate-authority ' +
    '--tls-server-name --insecure-skip -k --kustomize',
  npm:
    '--prefix --script-shell --node-options --userconfig --globalconfig --registry --shell --git --cafile --init-module --ignore-scripts=false ' +
    '--global --editor --viewer --browser --call --proxy --https-proxy --onload-script --cache --logs-dir --tmp -C -g -c',
  pnpm: '--dir --script-shell --shell-emulator --registry --config --node-options --global --config.script-shell -C -g -c',
  yarn: '--cwd --use-yarnrc --script-shell --registry --modules-folder --global-folder',
  bun: '--preload -r --require --import --cwd -e --eval --config -c --shell -p --print',
  node:
    '-e --eval -p --print -r --require --import --loader --experimental-loader --env-file --inspect --openssl-config -C -i --build-snapshot ' +
    '--experimental-config-file --experimental-default-config-file --diagnostic-dir --redirect-warnings ' +
    '--cpu-prof --heap-prof --run --watch-path',
  deno: '=eval -A --allow --config -c --import-map --preload --unstable-unsafe-proto',
  python: '@c @m @i @W',
  cargo: '--config -Z -C --manifest-path -+ --target-dir --artifact-dir --out-dir',
  rustc: '-C -Z --codegen -o --out-dir --emit',
  go:
    '=-exec =--exec =-toolexec =--toolexec =-C =-overlay =--overlay =-modfile =--modfile =-vettool ' +
    '=--vettool =-o =--o =-ldflags =--ldflags =-gcflags ' +
    '=--gcflags =-asmflags =--asmflags =-compiler =--compiler =-outputdir =-coverprofile =-cpuprofile =-memprofile =-trace =-gccgoflags =-pkgdir ' +
    '=--C =-blockprofile =-mutexprofile =--outputdir =--coverprofile =--cpuprofile =--memprofile =--blockprofile =--mutexprofile =--trace ' +
    '~-test. ~--test.',
  make: '@f --file --makefile @C --directory @I --include-dir --eval @E',
  tar:
    '--to-command --checkpoint-action --use-compress-program @I --rsh-command --rmt-command @F ' +
    '--info-script --new-volume-script --files-from @T ' +
    '@P --absolute-names --transform --xform @C --directory --exclude-from --index-file --one-top-level --volno-file',
  curl:
    '@o @O --output --remote-name @K --config @T --upload-file @d --data @F --form @x --proxy ' +
    '--unix-socket @D --dump-header @c --cookie-jar --trace ' +
    '@w --write-out --engine --netrc-file @b --cookie --cert @E --key --create-file-mode --json ' +
    '--preproxy --doh-url --stderr --etag-save --hsts ' +
    '--alt-svc --libcurl --abstract-unix-socket --resolve --connect-to --socks --url-query --quote @Q ' +
    '--random-file --egd-file --output-dir --variable',
  wget:
    '@O --output-document @o --output-file @a --append-output @P --directory-prefix --use-askpass @e ' +
    '--execute @i --input-file --post --config --warc ' +
    '--body --save-cookies --rejected-log --base --local-encoding',
  rsync:
    '@e --rsh --rsync-path --files-from --daemon --config @M --remote-option --log-file --write-batch --only-write-batch --password-file',
  ssh: '@o @F @J @W @D @L @R @w @i @E @S @I',
  scp: '@o @F @J @S @D @i',
  sftp: '@o @F @J @S @D @i @b',
  man: '@P --pager @H --html @C --config-file @M --manpath @l --local-file @R --preprocessor @p @T @t --troff --gxditview @X --systems -m',
  openssl: '=-engine =-provider =-provider-path =-config =-out =-writerand =-rand',
  zip: '@T --unzip-command --test -O --output-file',
  unzip: '@d @o -:',
  xxd: '@r --revert',
  date: '@s --set @f --file',
  pytest:
    '@p @c --rootdir --confcutdir @o --override-ini --import-mode --pyargs --pdbcls --junit-xml ' +
    '--junitxml --log-file --resultlog --basetemp --pastebin ' +
    '--debug --config-file --cov-config --cov-report',
  eslint:
    '@c --config --rulesdir --plugin --parser --resolve-plugins-relative-to @f --format @o --output-file --cache-location --cache-file --flag',
  jest:
    '-c --config --rootDir --setupFiles --globalSetup --globalTeardown --testRunner --transform ' +
    '--resolver --reporters --outputFile --testEnvironment ' +
    '--runner --watchPlugins --filter --snapshotSerializers --modulePaths --haste --dependencyExtractor ' +
    '--testSequencer --coverageDirectory --prettierPath --env --testResultsProcessor --coverageReporters --projects --preset --moduleLoader ' +
    '--moduleNameMapper --moduleDirectories --roots =--cacheDirectory --init',
  vitest:
    '-c --config -r --root --dir --reporter --outputFile --environment --globalSetup --setupFiles ' +
    '=--runner --execArgv --coverage.reportsDirectory --coverage.customProviderModule --coverage.reporter --pool --browser --workspace ' +
    '--sequence.sequencer --typecheck.checker --diff --snapshotSerializers --attachmentsDir --api --inspect',
  // One dash is enough, and `@` names a file with options.
  tsc:
    '--outDir --outFile --declarationDir -p --project --plugins --tsBuildInfoFile --generateTrace --generateCpuProfile ' +
    '~-outDir ~-outFile ~-declarationDir ~-plugins ~-tsBuildInfoFile ~-generateTrace ~-generateCpuProfile ~@',
  dotnet:
    '-p --property ~/p -l --logger ~/l -o --output ~/o -s --settings --test-adapter-path -a --diag --results-directory --collect ' +
    '-distributedLogger ~/distributedLogger ~/dl ~@ --source --configfile --tool-path --artifacts-path',
  prettier: '--config --plugin --ignore-path --cache-location',
  gh: '=api =alias =extension =auth =secret =ssh-key =gpg-key =codespace =config',
  rg: '--pre --pre-glob --hostname-bin --search-zip @z',
  sort: '@o --output --compress-program @T --temporary-directory --files0-from --random-source',
  yq: '@i --inplace =eval-all --split-exp @s',
  mvn: '-f --file -s --settings -gs -t --toolchains =exec:java =exec:exec -Dexec',
  gradle: '-I --init-script -b --build-file -p --project-dir -g -c --include-build -D -P --settings-file --gradle-user-home',
  pip:
    '-e --editable --index-url -i --extra-index-url --find-links -f --target -t --prefix --root --python ' +
    '--config-settings --global-option --src',
  awk: '@f @i @l --file --include --load --exec @E -e --source',
  sed: '@i --in-place @f --file @e --expression',
  less: '-',
  more: '-',
  help: '-',
  hostname: '- --',
  info: '@o --output --restore @d --directory @f --file --dribble',
  mysql: '-e --execute --pager --tee --init-command --defaults',
  psql: '@c --command @f --file @o --output @L --log-file @v --set --variable',
  sqlite3: '-cmd -init',
};
const SAME: Readonly<Record<string, string>> = {
  python3: 'python',
  pip3: 'pip',
  gradlew: 'gradle',
  gawk: 'awk',
  mawk: 'awk',
  nawk: 'awk',
  gsed: 'sed',
};

/** Options that are the beginning of a powerful one and options of their own. */
const OWN: ReadonlySet<string> = new Set(['--text', '--co', '--test', '--coverage', '--cov', '--watch']);

const GIT_LONG =
  '--upload-pack --receive-pack --exec --open-files-in-pager --template --separate-git-dir --upload-archive --output --ext-diff --textconv ' +
  '--extcmd --tool --gpg-sign --config --exec-path --git-dir --work-tree --config-env --paginate --contents --show-signature';
const GIT_LETTERS: Readonly<Record<string, string>> = {
  clone: '@u @c',
  grep: '-O',
  archive: '@o',
  'format-patch': '@o',
  rebase: '@x',
  difftool: '@x @t',
  bisect: '=run',
  submodule: '=foreach',
  reflog: '=expire =delete =drop =write',
};
/** The subcommands that a rule for `git *` covers. All others run programs, change the configuration, or may be aliases. */
const GIT_KNOWN = new Set(
  (
    'add am annotate apply archive blame branch bundle cat-file check-attr check-ignore checkout cherry ' +
    'cherry-pick clean clone commit count-objects ' +
    'describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep init log ' +
    'ls-files ls-remote ls-tree merge merge-base mv ' +
    'name-rev notes prune pull push range-diff rebase reflog remote reset restore rev-list rev-parse ' +
    'revert rm shortlog show show-branch show-ref ' +
    'sparse-checkout stash status switch symbolic-ref tag update-index update-ref version whatchanged worktree write-tree'
  ).split(' '),
);
/** Options in front of a subcommand that do not change what it does. */
export const GIT_HARMLESS = /^--(?:no-pager|no-optional-locks|literal-pathspecs|glob-pathspecs|icase-pathspecs)$/;

/** Subcommands that a rule for all uses of a program does not mean: they change what the others run, or run the code of a package. */
const SUBCOMMANDS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:config|c|set|pkg|init|innit|create|edit|exec|x|explore|adduser|login|publish|token)$/,
  pnpm: /^(?:config|c|set|pkg|init|create|exec|dlx|env|publish)$/,
  yarn: /^(?:config|set|plugin|init|create|exec|dlx|publish|policies)$/,
  bun: /^(?:x|create|init|publish|pm)$/,
  pip: /^config$/,
  pip3: /^config$/,
  cargo: /^(?:login|publish|owner|install|run)$/,
  docker: /^(?:context|plugin|login)$/,
  kubectl: /^(?:config|plugin|exec|cp|proxy|port-forward)$/,
  brew: /^(?:sh|ruby|tap)$/,
  go: /^(?:env|generate|run|tool)$/,
};

/** Assignments among the arguments of make. Numbers name no program. */
const MAKE_VARIABLE = /^[\w.]+[:+?!]*=(?!\d+$)/;

/** True for a long option of git that runs a program or writes a file, or for the beginning of one. */
export function isGitPower(word: string): boolean {
  return fits(GIT_LONG, word);
}

/**
 * True when a word of the command is an option that a rule for any arguments does not mean.
 * @param count the number of words that the rule names
 */
export function hasPowerfulOption(name: string, words: readonly (string | undefined)[], count: number): boolean {
  const rest = words.slice(count);
  if (rest.some((word) => word === undefined)) {
    return true;
  }
  const known = rest as readonly string[];
  if (name === 'git') {
    return isPowerfulGit(words as readonly string[], known, count);
  }
  const options = OPTIONS[SAME[name] ?? name];
  if (count === 1 && SUBCOMMANDS[name]?.test(known.find((word) => !word.startsWith('-')) ?? '') === true) {
    return true;
  }
  if (name === 'tar' || name === 'gtar' || name === 'bsdtar') {
    return known.some(
      (word, at) => fits(OPTIONS.tar!, at === 0 && count === 1 && !word.startsWith('-') ? `-${word}` : word) || /^[^/]*:/.test(word),
    );
  }
  return options !== undefined && known.some((word) => fits(options, word) || (/^g?make$/.test(name) && MAKE_VARIABLE.test(word)));
}

function isPowerfulGit(words: readonly string[], rest: readonly string[], count: number): boolean {
  const at = words.findIndex((word, index) => index > 0 && !word.startsWith('-'));
  const subcommand = at < 0 ? '' : words[at]!;
  const globals = words.slice(count, at < 0 ? undefined : Math.max(at, count));
  const isUnknown = count === 1 && !GIT_KNOWN.has(subcommand) && !(at < 0 && words.length === 2 && words[1] === '--version');
  const letters = Object.hasOwn(GIT_LETTERS, subcommand) ? GIT_LETTERS[subcommand]! : '';
  const areHarmless = at >= count ? globals.every((word) => GIT_HARMLESS.test(word)) : true;
  return isUnknown || !areHarmless || rest.some((word) => fits(GIT_LONG, word) || (letters !== '' && fits(letters, word)));
}

function fits(options: string, word: string): boolean {
  const name = /^[^=]*/.exec(word)![0];
  return options.split(' ').some((option) => {
    if (option.startsWith('=')) {
      return option.slice(1) === word || option.slice(1) === name;
    }
    if (option.startsWith('~')) {
      return word.toLowerCase().startsWith(option.slice(1).toLowerCase());
    }
    if (option.startsWith('@')) {
      return /^-[A-Za-z0-9]/.test(word) && word.slice(1).includes(option.slice(1));
    }
    if (option.startsWith('--')) {
      const isStart = name.length > 2 && (option.toLowerCase().startsWith(name.toLowerCase()) || word.startsWith(option));
      return isStart && !OWN.has(name);
    }
    return option === '-' ? /^[-+]./.test(word) : option === '-+' ? /^\+./.test(word) : word.startsWith(option) && !word.startsWith('--');
  });
}
