import { NoHostName } from '@/agent/collect/host-facts'
import { UsageError } from '@/agent/commands/parse-options'
import { scanCommand } from '@/agent/commands/scan-command'
import { keepMemorySmall } from '@/agent/memory-flags'
import { AGENT_VERSION } from '@/agent/version'

const HELP = `Usage: sliceboard-agent COMMAND [OPTION…]

  scan      print the facts of this host's GPUs, guests and nova.conf as JSON; uses no network
  run       report to the console until stopped; see "sliceboard-agent run --help"
  version   print the agent's version

scan:
  --root DIR          read the tree below DIR, such as a copy of a host; nothing is executed then
  --hostname NAME     name of the host, when it is not found automatically
  --nova-config FILE  file or folder of nova.conf; give it again in oslo.config's order
  --guest-xml DIR     folder with the XML of libvirt guests; may be given again
  --no-nvidia-smi     do not run nvidia-smi
  --pretty            indent the JSON
`

/**
 * Standard output may be a pipe: the process ends only after all of it is taken, or after the reader has gone, which is
 * the reader's right.
 */
const print = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.once('error', (err: NodeJS.ErrnoException) =>
      err.code === 'EPIPE' ? resolve() : reject(err),
    )
    process.stdout.write(text, (err) => {
      if (!err) resolve()
    })
  })

const COMMANDS: Record<string, (words: string[]) => Promise<number>> = {
  scan: async (words) => {
    await print(words.includes('--help') ? HELP : await scanCommand(words))
    return 0
  },
  run: async (words) => {
    const beforeScan = keepMemorySmall()
    return (await import('@/agent/commands/run-command')).runCommand(words, beforeScan)
  },
  version: async () => {
    await print(`${AGENT_VERSION}\n`)
    return 0
  },
  help: async () => {
    await print(HELP)
    return 0
  },
}

const ALIASES: Record<string, string> = { '--help': 'help', '-h': 'help', '--version': 'version' }

/** Runs one command line. Exit status: 0 done, 1 failed, 2 the command line is wrong. */
export const runCli = async ([word = '', ...words]: string[]): Promise<number> => {
  const name = ALIASES[word] ?? word
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  try {
    if (command !== undefined) return await command(words)
    throw new UsageError(
      word === ''
        ? 'A command is missing: scan, run or version; see "sliceboard-agent --help".'
        : `"${word}" is not a command; use scan, run or version, or see "sliceboard-agent --help".`,
    )
  } catch (err) {
    if (!(err instanceof UsageError) && !(err instanceof NoHostName)) throw err
    process.stderr.write(`${err.message}\n`)
    return err instanceof UsageError ? 2 : 1
  }
}
