'use client'

import { useState } from 'react'
import { type Reference, toReference } from '@/lib/domain/create-server/reference'
import type { ServerSpec } from '@/lib/domain/create-server/server-texts'
import { suggestChoices, suggestServerName } from '@/lib/domain/create-server/suggest-choices'
import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import type { ServerChoices } from '@/lib/schemas/api/create-server'
import type { CreateServer } from '@/lib/schemas/api/create-server-inputs'

/** Ids of choices, names of key pairs; where a list could not be read, the name that the person entered. Empty: none. */
export type ServerValues = {
  name: string
  image: string
  network: string
  keyPair: string
  securityGroup: string
}

type Named = { id: string; name: string }

/** Null: nothing is chosen or entered. */
const referenceOf = (value: string, items: readonly Named[] | null): Reference | null => {
  if (value === '') return null
  const chosen = items?.find(({ id }) => id === value)
  return chosen === undefined || items === null ? { text: value, isId: false } : toReference(chosen, items)
}

const networkOf = (value: string, items: readonly Named[] | null): ServerSpec['network'] =>
  value === '' && items !== null ? 'none' : referenceOf(value, items)

const suggested = (flavor: CatalogFlavor, choices: ServerChoices | undefined): ServerValues => {
  const { imageId, networkId, keyPair, securityGroupId } = suggestChoices({
    images: choices?.images.items ?? null,
    networks: choices?.networks.items ?? null,
    keyPairs: choices?.keyPairs.items ?? null,
    securityGroups: choices?.securityGroups.items ?? null,
  })
  return {
    name: suggestServerName(flavor.name),
    image: imageId ?? '',
    network: networkId ?? '',
    keyPair: keyPair ?? '',
    securityGroup: securityGroupId ?? '',
  }
}

/** Without the key of the confirmation. */
type ServerInput = Omit<CreateServer, 'requestKey'>

/** Why the server cannot be created here; the command may still be copied. */
const problemOf = (values: ServerValues, choices: ServerChoices | undefined): string | null => {
  if (choices === undefined) return 'The choices have not been read yet.'
  if (values.name.trim() === '') return 'Enter a name first.'
  const unread = (['images', 'networks', 'securityGroups'] as const).find(
    (part) => choices[part].items === null,
  )
  if (unread !== undefined) return `${choices[unread].problem ?? ''} Run the command instead.`.trim()
  return values.image === '' ? 'Select an image first.' : null
}

/** The values of the form: what the person has changed, and a suggestion for the rest. */
export const useServerForm = (flavor: CatalogFlavor, choices: ServerChoices | undefined) => {
  const [changed, setChanged] = useState<Partial<ServerValues>>({})
  const values = { ...suggested(flavor, choices), ...changed }
  const group = referenceOf(values.securityGroup, choices?.securityGroups.items ?? null)
  const spec: ServerSpec = {
    name: values.name.trim(),
    flavor: flavor.name,
    image: referenceOf(values.image, choices?.images.items ?? null),
    network: networkOf(values.network, choices?.networks.items ?? null),
    keyPair: values.keyPair === '' ? null : values.keyPair,
    securityGroups: group === null ? [] : [group],
  }
  const input: ServerInput = {
    name: spec.name,
    flavor: flavor.id,
    image: values.image,
    network: values.network === '' ? null : values.network,
    keyPair: spec.keyPair,
    securityGroups: values.securityGroup === '' ? [] : [values.securityGroup],
  }
  return {
    values,
    spec,
    input,
    problem: problemOf(values, choices),
    set: (change: Partial<ServerValues>) => setChanged((before) => ({ ...before, ...change })),
  }
}

export type ServerForm = ReturnType<typeof useServerForm>
