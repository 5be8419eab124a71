/** The one exchange between `ssh`'s helper program and the extension: a line of JSON each way. */

/** The variables of the program: the address of the socket, and the secret without which it gets no answer. */
export const ASKPASS_SOCKET = 'ACP_HOST_ASKPASS_SOCKET';
export const ASKPASS_TOKEN = 'ACP_HOST_ASKPASS_TOKEN';

export interface AskpassRequest {
  readonly token: string;
  readonly prompt: string;
  readonly hint?: string;
}

/** Empty when the user has not answered. */
export interface AskpassAnswer {
  readonly answer?: string;
}
