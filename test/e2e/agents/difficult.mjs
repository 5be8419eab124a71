// Agents with a fault, which the first argument names. Otherwise they behave like the scripted agent.
const [how] = process.argv.splice(2, 1);
const scripted = new URL('../../../out/test/scripted-agent.mjs', import.meta.url).href;

switch (how) {
  case 'exits':
    process.stderr.write('reading the key ring\nerror: the key ring is locked\n');
    process.exitCode = 3;
    break;
  case 'offline':
    // The exact output of npm 11.
    process.stderr.write(
      [
        'code ENOTFOUND',
        'syscall getaddrinfo',
        'errno ENOTFOUND',
        'network request to https://registry.npmjs.org/@acme%2fagent failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org',
        'network This is a problem related to network connectivity.',
      ]
        .map((line) => `npm error ${line}\n`)
        .join(''),
    );
    process.exitCode = 1;
    break;
  case 'silent': {
    // Reads, but never answers; its last line contains the useful information.
    let part = 0;
    setInterval(() => process.stderr.write(`fetching part ${++part}\nstill waiting for the network\n`), 400);
    process.stdin.resume().on('end', () => process.exit(0));
    break;
  }
  case 'noisy':
    process.stdout.write('Welcome to the noisy agent!\n\n{"level":"info","msg":"a log line"}\n\u001b[32mready\u001b[0m\n');
    await import(scripted);
    break;
  case 'stubborn':
    // Neither the end of stdin nor SIGTERM ends it.
    process.exit = () => undefined;
    process.on('SIGTERM', () => process.stderr.write('not now\n'));
    setInterval(() => undefined, 1000);
    await import(scripted);
    break;
  default:
    throw new Error(`no such difficulty: ${how}`);
}
