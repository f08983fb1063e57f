/** `npm run sbom`: writes dist/sbom.json, the packages of the lockfile in CycloneDX's form. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLockfile, readManifest, root } from './supply-chain/read-lockfile'
import { makeSbom } from './supply-chain/sbom'

const file = join('dist', 'sbom.json')
const sbom = makeSbom(readManifest().name, readLockfile().packages)
mkdirSync(join(root, 'dist'), { recursive: true })
writeFileSync(join(root, file), `${JSON.stringify(sbom, null, 2)}\n`)
process.stdout.write(`${file}  ${sbom.components.length} packages\n`)
