import { existsSync } from 'node:fs'
import path from 'node:path'

const isAnywhere = (program: string): boolean =>
  program.includes('/')
    ? existsSync(program)
    : (process.env.PATH ?? '')
        .split(':')
        .some((folder) => folder !== '' && existsSync(path.join(folder, program)))

/**
 * Whether a program could not be started because it is not there. execvp(3) answers EACCES instead of ENOENT as soon as one folder
 * of PATH may not be searched, so then the others are looked through.
 */
export const isMissingProgram = (program: string, code: unknown): boolean =>
  code === 'ENOENT' || (code === 'EACCES' && !isAnywhere(program))
