/** `npm run docs:findings`: writes docs/findings.md from the detectors and the lab tests. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findingsPage } from './findings-page/findings-page'
import { readLabTests, readVerifiedReleases } from './findings-page/lab-tests'
import { root } from './supply-chain/read-lockfile'

writeFileSync(join(root, 'docs', 'findings.md'), findingsPage(readLabTests(), readVerifiedReleases()))
