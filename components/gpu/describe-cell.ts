import type { CellKind } from '@/lib/domain/pgpu/types'
import type { CellDto } from '@/lib/schemas/api/gpu'
import { guestStateWords } from './guest-state'

export type CellText = { title: string; lines: string[] }

const KIND_TEXTS: Record<CellKind, CellText> = {
  used: { title: 'Used', lines: ['Its guest is not known yet.'] },
  spare: { title: 'Spare', lines: ['Made, attached to no guest. Nova will hand it out again.'] },
  orphan: {
    title: 'Orphan',
    lines: ['Made, attached to no guest, of a type that nova.conf no longer names. Nova never uses it.'],
  },
  unknown: { title: 'Unknown', lines: ['The host does not say what this place holds.'] },
  free: { title: 'Free', lines: ['Nothing is made here; the driver would make one.'] },
  locked: { title: 'Locked', lines: ['Not taken, but the driver would not make a vGPU here now.'] },
}

/** A cell as text, from its kind alone. */
export const describeKind = (kind: CellKind): CellText => KIND_TEXTS[kind]

/** A cell as text: its server or guest, its type, its mdev. */
export const describeCell = ({ kind, occupant, typeName, mdevUuid }: CellDto): CellText => {
  const own = [typeName, mdevUuid === null ? null : `mdev ${mdevUuid}`].filter((line) => line !== null)
  if (occupant === null) {
    const { title, lines } = KIND_TEXTS[kind]
    return { title, lines: kind === 'used' ? own : [...lines, ...own] }
  }
  const guest = occupant.serverName === null ? null : `guest ${occupant.guestName}`
  const state = guestStateWords(occupant.guestState)
  const where = [occupant.projectName, occupant.flavorName].filter((part) => part !== null).join(', ')
  return {
    title: occupant.serverName ?? occupant.guestName,
    lines: [
      [typeName, guest, state].filter((part) => part !== null && part !== '').join(', '),
      ...(where === '' ? [] : [where]),
      ...own.slice(typeName === null ? 0 : 1),
    ],
  }
}
