/** `npm run licences`: writes docs/licences.md anew from the lockfile. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { licencePage } from './supply-chain/licences'
import { readLockfile, root } from './supply-chain/read-lockfile'

writeFileSync(join(root, 'docs', 'licences.md'), licencePage(readLockfile().packages))
