/**
 * The sign-in state of the scripted agent. `setup.account` says which requests need a sign-in. `authenticate` signs this process in. The
 * argument `--login`, which methods of type `terminal` append, asks for a code and writes a file that signs the next process in.
 */
import { RequestError } from '@agentclientprotocol/sdk';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';

export interface AccountSetup {
  /** The methods that are refused before a sign-in. */
  readonly needed: readonly string[];
  /** A process that finds this file at its start is signed in. Relative to the process's folder. */
  readonly file?: string;
  /** The variable without which `authenticate` fails. */
  readonly variable?: string;
  /** The number of requests that are refused although the user has signed in. */
  readonly doubts?: number;
  /** The exit code with which the agent exits after a refusal. */
  readonly exits?: number;
}

export class Account {
  private signedIn: boolean;
  private doubts: number;

  constructor(private readonly setup: AccountSetup) {
    this.signedIn = setup.file !== undefined && existsSync(setup.file);
    this.doubts = setup.doubts ?? 0;
  }

  /** @throws RequestError with code -32000 when the request needs a sign-in */
  check(method: string): void {
    if (!this.setup.needed.includes(method) || (this.signedIn && this.doubts-- <= 0)) {
      return;
    }
    const { exits } = this.setup;
    if (exits !== undefined) {
      setImmediate(() => process.exit(exits));
    }
    throw new RequestError(-32000, `Who asks for ${method}?`);
  }

  authenticate(): void {
    const { variable } = this.setup;
    if (variable !== undefined && !process.env[variable]) {
      throw RequestError.internalError(undefined, `${variable} is not set`);
    }
    this.signedIn = true;
  }

  logout(): void {
    this.signedIn = false;
    if (this.setup.file !== undefined) {
      rmSync(this.setup.file, { force: true });
    }
  }
}

/** Signs in from a terminal: the code is `please`; with `LOGIN_CODE` in the environment it does not ask. */
export async function login({ file }: AccountSetup): Promise<never> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const code = process.env.LOGIN_CODE ?? (await terminal.question('The code, please: '));
  terminal.close();
  if (code.trim() !== 'please') {
    process.stdout.write('That is not the code.\n');
    process.exit(3);
  }
  writeFileSync(file ?? 'signed-in', 'yes');
  process.stdout.write('You are signed in.\n');
  process.exit(0);
}
