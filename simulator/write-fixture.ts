import { existsSync } from 'node:fs'
import { FIXTURE_HOSTS } from '@/simulator/fixtures/all-hosts'
import { writeHostTree } from '@/simulator/host-tree/write-host-tree'

/** `npx tsx simulator/write-fixture.ts t4-seed-host DIR`: a fixture as a tree, to read or to scan manually. */
const [name = '', directory = ''] = process.argv.slice(2)
const spec = FIXTURE_HOSTS[name]
if (spec === undefined || directory === '') {
  console.error(
    `Usage: write-fixture NAME DIRECTORY, with NAME one of: ${Object.keys(FIXTURE_HOSTS).join(', ')}.`,
  )
  process.exitCode = 2
} else if (existsSync(directory)) {
  console.error(`The directory ${directory} exists; name one that does not.`)
  process.exitCode = 2
} else {
  writeHostTree(directory, spec)
  console.log(`Wrote ${name} below ${directory}.`)
}
