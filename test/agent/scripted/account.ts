/**
 * Who is signed in at the scripted agent. `setup.account` says which requests want a sign-in; `authenticate` makes one, for this process, and so
 * does the argument `--login`, as methods of type `terminal` append it: that one asks for a code and writes a file, which the next process finds.
 */
import { RequestError } from '@agentclientprotocol/sdk';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';

export interface AccountSetup {
  /** Methods of requests that are refused before a sign-in. */
  readonly needed: readonly string[];
  /** Who starts with this file there is signed in; relative to the process's folder. */
  readonly file?: string;
  /** `authenticate` fails without this variable in the environment. */
  readonly variable?: string;
  /** How often a request is refused although somebody has signed in. */
  readonly doubts?: number;
  /** Ends with this code after it has refused something. */
  readonly exits?: number;
}

export class Account {
  private signedIn: boolean;
  private doubts: number;

  constructor(private readonly setup: AccountSetup) {
    this.signedIn = setup.file !== undefined && existsSync(setup.file);
    this.doubts = setup.doubts ?? 0;
  }

  /** @throws RequestError -32000 */
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

/** In a terminal: the code is `please`, and `LOGIN_CODE` in the environment does without asking. */
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
