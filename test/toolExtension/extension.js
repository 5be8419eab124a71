// A tool for language models, as other extensions register them.
const vscode = require('vscode');

/** @param {vscode.ExtensionContext} context */
exports.activate = (context) => {
  const invoke = ({ input }, token) => {
    if (input.text === 'never') {
      return new Promise((_resolve, reject) => token.onCancellationRequested(() => reject(new Error('cancelled'))));
    }
    if (input.text === 'fail') {
      throw new Error('no text');
    }
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart([...input.text].reverse().join(''))]);
  };
  context.subscriptions.push(vscode.lm.registerTool('sample_reverse', { invoke }));
};
