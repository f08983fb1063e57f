import { runCli } from '@/agent/cli'

/** Entry of the single executable, which is CommonJS and always a program. */
void runCli(process.argv.slice(2)).then((status) => {
  process.exitCode = status
})
