/**
 * An extension that is installed in addition to ours in every end-to-end window. It has the ids of a simpler client, so all journeys prove
 * that ours works beside it. It also does quickly for the harness what the user interface does slowly: change the user's settings, run a
 * command, end sessions. It listens on loopback; its address is in the file name `<time>-<port>` in the folder ACP_HOST_NEIGHBOUR.
 */
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { join } = require('node:path');
const vscode = require('vscode');

const actions = {
  /** Sets the user's settings to `values`: those of ACP Host, and the others that are named. `null` removes one. */
  async settings(values) {
    const extension = vscode.extensions.getExtension('acp-host.acp-host');
    const own = extension.packageJSON.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
    const configuration = vscode.workspace.getConfiguration();
    for (const key of new Set([...own, ...Object.keys(values)])) {
      const wanted = values[key] ?? undefined;
      const present = configuration.inspect(key)?.globalValue;
      if (JSON.stringify(present) !== JSON.stringify(wanted)) await configuration.update(key, wanted, vscode.ConfigurationTarget.Global);
    }
  },

  async commands(ids) {
    for (const [id, ...args] of ids.map((each) => [each].flat())) await vscode.commands.executeCommand(id, ...args);
  },

  /** Starts a command that ends only when the user answers it. Its error would be shown by VS Code to a user, and is ignored here. */
  start(id) {
    vscode.commands.executeCommand(id).then(undefined, () => {});
  },

  /** Opens a file in the active group, in a tab that no preview replaces. */
  async open(path) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), { preview: false });
  },

  /** The tabs of every editor group, including those in separate windows. */
  tabs() {
    return vscode.window.tabGroups.all.flatMap(({ tabs, viewColumn }) =>
      tabs.map(({ label, isActive, input }) => ({ label, isActive, viewColumn, viewType: input?.viewType })),
    );
  },

  /** The paths of documents whose text VS Code has not updated after a change of their files. */
  staleDocuments() {
    const stale = ({ uri, isDirty, getText }) => existsSync(uri.fsPath) && (isDirty || getText() !== readFileSync(uri.fsPath, 'utf8'));
    return vscode.workspace.textDocuments
      .filter((document) => document.uri.scheme === 'file' && stale(document))
      .map(({ uri }) => uri.fsPath);
  },

  /** Ends every session of the window, through ACP Host's API for other extensions. */
  async endSessions() {
    const extension = vscode.extensions.getExtension('acp-host.acp-host');
    if (extension.isActive) await Promise.all(extension.exports.sessions.map((session) => session.end()));
  },
};

exports.activate = (context) => {
  const say = () => void vscode.window.showInformationMessage('neighbour is active');
  for (const id of ['acp.newSession', 'acp.stopTurn']) context.subscriptions.push(vscode.commands.registerCommand(id, say));

  const folder = process.env.ACP_HOST_NEIGHBOUR;
  if (!folder) return;
  const server = createServer(async (request, response) => {
    try {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const { action, argument } = JSON.parse(Buffer.concat(chunks).toString());
      response.end(JSON.stringify((await actions[action](argument)) ?? null));
    } catch (error) {
      response.writeHead(500).end(String(error?.stack ?? error));
    }
  });
  server.listen(0, '127.0.0.1', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${Date.now()}-${server.address().port}`), '');
  });
  context.subscriptions.push({ dispose: () => server.close() });
};
