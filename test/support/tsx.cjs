// Lets mocha load TypeScript, the view's JSX included: the root tsconfig.json only has references, so tsx is told where
// the options are before it starts.
process.env.TSX_TSCONFIG_PATH ??= require('node:path').join(__dirname, 'tsconfig.run.json');
require('tsx');
