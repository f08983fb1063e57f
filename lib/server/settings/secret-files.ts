import 'server-only'
import { readFileSync } from 'node:fs'
import { errorCode } from '@/lib/server/errors/error-code'

type Source = Readonly<Record<string, string | undefined>>

/** Settings that carry a secret. Each can come from a file instead, as Docker, Kubernetes and systemd hand secrets out. */
export const SECRET_SETTINGS = ['DATABASE_URL', 'SLICEBOARD_REPLICA_URL', 'SLICEBOARD_SECRET'] as const

export const fileSettingOf = (name: string): string => `${name}_FILE`

const readSecretFile = (path: string, setting: string): { value: string } | { problem: string } => {
  try {
    const value = readFileSync(path, 'utf8').trim()
    return value === '' ? { problem: `${setting} is "${path}", but that file is empty.` } : { value }
  } catch (error) {
    return {
      problem: `${setting} is "${path}", but that file cannot be read (${errorCode(error) ?? String(error)}).`,
    }
  }
}

/** The settings with what their files hold, and why a file cannot be used. */
export const withSecretFiles = (source: Source): { source: Source; problems: string[] } => {
  const problems: string[] = []
  const found: Record<string, string> = {}
  for (const name of SECRET_SETTINGS) {
    const setting = fileSettingOf(name)
    const path = source[setting]?.trim()
    if (!path) continue
    if (source[name]?.trim()) {
      problems.push(`${name} and ${setting} are both set: remove one of them.`)
      continue
    }
    const read = readSecretFile(path, setting)
    if ('problem' in read) problems.push(read.problem)
    else found[name] = read.value
  }
  return { source: { ...source, ...found }, problems }
}
