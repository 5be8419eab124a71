/** VS Code's network settings, for the processes of agents and for package managers. */
import * as vscode from 'vscode';
import { certificateFile } from '../../application/registry/certificates';
import { proxyVariables } from '../../application/registry/proxyVariables';

/** ms that the start of an agent waits for the system's certificates. The next one gets those that came later. */
const CERTIFICATES_MS = 1500;

/** Returns the file of the certificates that the system trusts; undefined when the setting is off, or there are none. @param storage the extension's folder */
export async function systemCertificates(storage: string): Promise<string | undefined> {
  if (vscode.workspace.getConfiguration('http').get('systemCertificates') === false) {
    return undefined;
  }
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), CERTIFICATES_MS)));
  const file = await Promise.race([certificateFile(storage, Date.now()), timeout]);
  clearTimeout(timer);
  return file;
}

/** Reads `http.proxy`, `http.noProxy` and `http.proxySupport` as they are now. VS Code lets only the user and the machine set them. */
export function readNetworkVariables(certificates: string | undefined): Record<string, string> {
  const http = vscode.workspace.getConfiguration('http');
  const [proxy, noProxy, support] = [http.get('proxy'), http.get('noProxy'), http.get('proxySupport')];
  return proxyVariables(
    {
      ...(typeof proxy === 'string' && { proxy }),
      ...(Array.isArray(noProxy) && { noProxy: noProxy.filter((host) => typeof host === 'string') }),
      ...(typeof support === 'string' && { support }),
      certificates,
    },
    process.env,
  );
}
