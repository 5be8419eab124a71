/** A window that installs a Node.js, as a process of its own that a test can kill: `installNode.ts <the dependencies as JSON>`. */
import { ManagedNodes } from '../../../src/agent/node/managedNode';

const { folder, address, packages } = JSON.parse(process.argv[2]!) as { folder: string; address: string; packages: never };
const nodes = new ManagedNodes({ folder, fetch, registry: async () => ({ url: address }), packages });
void nodes.install((done) => done > 0 && process.stdout.write('receiving\n'));
