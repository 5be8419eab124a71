/**
 * An extension that is installed beside ours in every end-to-end window. It has the ids that a simpler client would use, so all journeys show that ours
 * works beside them; and it does for the harness what an extension may do and hands do slowly: change the user's settings, run a command, end sessions.
 * It listens on loopback; the file `<time>-<port>` in the folder ACP_HOST_NEIGHBOUR says where.
 */
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { join } = require('node:path');
const vscode = require('vscode');

const actions = {
  /** Makes the user's settings what `values` says: those of ACP Host, and the others that are named. `null` removes one. */
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

  /** Begins a command that ends only when somebody answers it. What it fails with is shown by VS Code when hands run it, and by nobody here. */
  start(id) {
    vscode.commands.executeCommand(id).then(undefined, () => {});
  },

  /** Opens a file in the group in front, in a tab that no preview takes. */
  async open(path) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), { preview: false });
  },

  /** The tabs of every editor group, also those in windows of their own. */
  tabs() {
    return vscode.window.tabGroups.all.flatMap(({ tabs, viewColumn }) =>
      tabs.map(({ label, isActive, input }) => ({ label, isActive, viewColumn, viewType: input?.viewType })),
    );
  },

  /** The paths of documents that VS Code still has as they were before their files changed. */
  staleDocuments() {
    const stale = ({ uri, isDirty, getText }) => existsSync(uri.fsPath) && (isDirty || getText() !== readFileSync(uri.fsPath, 'utf8'));
    return vscode.workspace.textDocuments
      .filter((document) => document.uri.scheme === 'file' && stale(document))
      .map(({ uri }) => uri.fsPath);
  },

  /** Ends every session of the window, through the API that ACP Host has for other extensions. */
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
