// `npm ci` ends here: it generates lib/server/prisma-client from prisma/schema. Plain JavaScript, because it also
// runs where development packages are left out.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)

const findPrisma = () => {
  try {
    return join(dirname(require.resolve('prisma/package.json')), 'build', 'index.js')
  } catch {
    return null
  }
}

const generate = (cli) =>
  spawnSync(process.execPath, [cli, 'generate', '--no-hints'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      // Generating needs no schema engine, but Prisma looks for one and would download it; any existing file will do.
      PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY || process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  })

const prisma = findPrisma()
if (prisma) {
  const { status, stdout, stderr } = generate(prisma)
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}\nThe database client could not be generated.\n`)
    process.exit(1)
  }
} else if (!existsSync(join(root, 'lib', 'server', 'prisma-client', 'client.ts'))) {
  process.stderr.write('The database client is not generated: install the development packages once.\n')
}
