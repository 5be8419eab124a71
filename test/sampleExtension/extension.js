// A sample extension that uses ACP Host: it adds two agents, starts a session, sends a prompt and listens. See docs/api.md.
const path = require('node:path');
const vscode = require('vscode');

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
  /** @type {import('../../src/api').AcpHostApi} */
  const acpHost = await vscode.extensions.getExtension('acp-host.acp-host').activate();

  const launch = {
    command: process.execPath,
    args: [path.join(context.extensionPath, 'agent.mjs')],
    // VS Code's own executable acts as Node.js only with this variable.
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
  const fixed = acpHost.registerAgentProvider({ id: 'acp-host.sample.fixed', label: 'Sample Agent', launch });
  const asked = acpHost.registerAgentProvider({ id: 'acp-host.sample.asked', label: 'Sample Agent (asked)', launch: async () => launch });
  context.subscriptions.push(fixed, asked);

  // Sends a prompt to the agent, and returns the events.
  const ask = async (agentName = 'Sample Agent', text = 'Hello', folder = vscode.workspace.workspaceFolders?.[0]?.uri) => {
    const session = await acpHost.newSession({ agentName, folder });
    if (!session) {
      return undefined;
    }
    const events = [];
    const listening = session.onDidReceiveEvent((event) => events.push(event));
    await ready(acpHost, session);
    const { stopReason } = await session.prompt(text);
    listening.dispose();
    await session.end();
    return { key: session.key, stopReason, events };
  };
  context.subscriptions.push(vscode.commands.registerCommand('acpHostSample.ask', ask));
  return { acpHost, fixed, asked, ask };
}

/** Resolves when the agent accepts prompts. */
function ready(acpHost, session) {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (session.status === 'starting') {
        return;
      }
      changes.dispose();
      if (session.status === 'ready') {
        resolve();
      } else {
        reject(new Error(session.status));
      }
    };
    const changes = acpHost.onDidChangeSessions(look);
    look();
  });
}

module.exports = { activate };
