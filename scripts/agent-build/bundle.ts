import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { AGENT_NODE, refuseOldNode } from '../old-node'

const repository = fileURLToPath(new URL('../..', import.meta.url))

const SHARED = {
  absWorkingDir: repository,
  bundle: true,
  platform: 'node',
  // Node 16 reads it, and prints what the agent needs.
  target: 'node16',
  // Operators run it as root and may want to read it.
  minify: false,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions

/** Names of the packages that went into a bundle. */
const packagesOf = (inputs: readonly string[]): string[] => {
  const names = inputs.map((input) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))].sort()
}

const licenseOf = (name: string): string => {
  const folder = path.join(repository, 'node_modules', name)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`The package ${name} has no license file to put into the agent.`)
  return `${name}\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}`
}

/** Their licenses must accompany every copy. */
const licensesComment = (names: string[]): string => {
  const text = names.map(licenseOf).join('\n\n')
  return `\n/*\nThis file contains the following packages.\n\n${text.replaceAll('*/', '* /')}\n*/\n`
}

/** The only import at the top: modules of Node.js are loaded behind the check, since an older one lacks some of their exports. */
const MODULE_HEAD = `import { createRequire } from 'module';
${refuseOldNode(AGENT_NODE)}const require = createRequire(import.meta.url);`

/** Turns imports of Node's own modules into calls of \`require\`. */
const requireBuiltins: Plugin = {
  name: 'require-builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ path: name, kind }) =>
      kind === 'require-call' ? { path: name, external: true } : { path: name, namespace: 'builtin' },
    )
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: name }) => ({
      contents: `module.exports = require(${JSON.stringify(name)})`,
    }))
  },
}

type Bundle = { entry: string; format: 'esm' | 'cjs'; outfile: string; banner?: string }

/** One file that needs nothing but Node. */
export const bundleAgent = async ({ entry, format, outfile, banner }: Bundle): Promise<void> => {
  const { metafile } = await build({
    ...SHARED,
    metafile: true,
    entryPoints: [entry],
    format,
    outfile,
    ...(format === 'esm' ? { plugins: [requireBuiltins] } : {}),
    banner: { js: [banner, format === 'esm' ? MODULE_HEAD : undefined].filter(Boolean).join('\n') },
  })
  const licenses = licensesComment(packagesOf(Object.keys(metafile.inputs)))
  writeFileSync(outfile, licenses, { flag: 'a' })
}

/** `<file>.sha256`, as `sha256sum -c` reads it. */
export const writeChecksum = (file: string): string => {
  if (!existsSync(file)) throw new Error(`${file} is not there, so it has no checksum.`)
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex')
  writeFileSync(`${file}.sha256`, `${sum}  ${path.basename(file)}\n`)
  return sum
}
