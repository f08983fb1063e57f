'use client'

import { Field, Input } from '@/components/ui/input'
import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import type { ServerChoices } from '@/lib/schemas/api/create-server'
import { ChoiceField } from './choice-field'
import { choiceLabel, driverNote } from './create-server-text'
import type { ServerForm } from './use-server-form'

type Part<Item> = { items: Item[] | null; problem: string | null }

const toPart = <Item,>(
  part: Part<Item> | undefined,
  toChoice: (item: Item) => { value: string; label: string; isDisabled?: boolean },
) => (part === undefined ? undefined : { choices: part.items?.map(toChoice) ?? null, problem: part.problem })

const checkedChoice = (item: { id: string; name: string; problem: string | null }) => ({
  value: item.id,
  label: choiceLabel(item),
  isDisabled: item.problem !== null,
})

/** Name, image, network, key pair and security group of a new server. */
export const ServerFields = ({
  flavor,
  choices,
  form: { values, set },
}: {
  flavor: CatalogFlavor
  choices: ServerChoices | undefined
  form: ServerForm
}) => (
  <form className="grid gap-2.5" onSubmit={(event) => event.preventDefault()}>
    <Field id="server-name" label="Name">
      <Input
        id="server-name"
        maxLength={255}
        value={values.name}
        onChange={(event) => set({ name: event.target.value })}
      />
    </Field>
    <ChoiceField
      id="server-image"
      label="Image"
      what="image"
      empty="Select an image"
      part={toPart(choices?.images, checkedChoice)}
      value={values.image}
      help={driverNote(flavor)}
      onChange={(image) => set({ image })}
    />
    <ChoiceField
      id="server-network"
      label="Network"
      what="network"
      empty="No network"
      part={toPart(choices?.networks, checkedChoice)}
      value={values.network}
      onChange={(network) => set({ network })}
    />
    <div className="grid gap-2.5 sm:grid-cols-2">
      <ChoiceField
        id="server-key-pair"
        label="Key pair"
        what="key pair"
        empty="No key pair"
        part={toPart(choices?.keyPairs, (name) => ({ value: name, label: name }))}
        value={values.keyPair}
        onChange={(keyPair) => set({ keyPair })}
      />
      <ChoiceField
        id="server-security-group"
        label="Security group"
        what="security group"
        empty="Default group"
        part={toPart(choices?.securityGroups, ({ id, name }) => ({ value: id, label: name }))}
        value={values.securityGroup}
        onChange={(securityGroup) => set({ securityGroup })}
      />
    </div>
  </form>
)
