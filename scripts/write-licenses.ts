/** `npm run licenses`: generates docs/licenses.md from the lockfile. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { licensePage } from './supply-chain/licenses'
import { readLockfile, root } from './supply-chain/read-lockfile'

writeFileSync(join(root, 'docs', 'licenses.md'), licensePage(readLockfile().packages))
