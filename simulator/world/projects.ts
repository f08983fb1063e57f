import type { Random } from '@/simulator/random/random'
import { uuidFrom } from '@/simulator/random/uuid-from'

export type Project = {
  name: string
  id: string
  /** First parts of its servers' names: `render-blade` gives render-blade-1, render-blade-2, … */
  serverPrefixes: string[]
  users: { name: string; id: string }[]
}

const compactId = (text: string): string => uuidFrom(text).replaceAll('-', '')

const project = (name: string, serverPrefixes: string[], users: string[]): Project => ({
  name,
  id: compactId(`project ${name}`),
  serverPrefixes,
  users: users.map((user) => ({ name: user, id: compactId(`user ${user}`) })),
})

export const PROJECTS = {
  'cfd-lab': project('cfd-lab', ['mesh-solver', 'wind-tunnel', 'cfd-post'], ['m.ferrand', 'l.okafor']),
  'vdi-north': project('vdi-north', ['seat-n'], ['vdi-broker']),
  'render-farm': project('render-farm', ['render-blade', 'denoise'], ['farm-queue', 'a.lindqvist']),
  'bio-ml': project('bio-ml', ['jupyter-lab', 'fold-run', 'cryo-em'], ['s.iyer', 'j.brandt', 'k.mori']),
  'speech-team': project('speech-team', ['whisper-batch', 'tts-train'], ['r.costa']),
  'campus-cad': project('campus-cad', ['cad-seat'], ['cad-pool', 'p.novak']),
  platform: project('platform', ['tempest-gpu', 'canary'], ['ops-bot']),
} satisfies Record<string, Project>

export type ProjectName = keyof typeof PROJECTS

/** Lowest number that no living server of the prefix has, so that names stay believable over days. */
export const newServerName = (taken: Set<string>, project: Project, random: Random): string => {
  const prefix = random.pick(project.serverPrefixes) ?? project.name
  let number = 1
  while (taken.has(`${prefix}-${number}`)) number += 1
  return `${prefix}-${number}`
}
