'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefusal } from '@/components/shell/use-refusal'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { ApiError } from '@/lib/api/client'
import { createServerOptions } from '@/lib/api/create-server'
import type { ServerSpec } from '@/lib/domain/create-server/server-texts'
import type { CreatedServer, ServerChoices } from '@/lib/schemas/api/create-server'
import type { ServerForm } from './use-server-form'

/** 32 hexadecimal digits; `crypto.randomUUID` is missing where a console is served without TLS. */
const newRequestKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

const nameOf = (items: readonly { id: string; name: string }[] | null, id: string): string | null =>
  items?.find((item) => item.id === id)?.name ?? null

/** What will be created, with the names that the person chose. */
const Summary = ({
  spec,
  form: { values },
  choices,
}: {
  spec: ServerSpec
  form: ServerForm
  choices: ServerChoices
}) => (
  <>
    <KeyValues className="wrap-anywhere">
      <KeyValue label="Name">{spec.name}</KeyValue>
      <KeyValue label="Flavor">{spec.flavor}</KeyValue>
      <KeyValue label="Image">{nameOf(choices.images.items, values.image)}</KeyValue>
      <KeyValue label="Network">{nameOf(choices.networks.items, values.network) ?? 'none'}</KeyValue>
      <KeyValue label="Key pair">{spec.keyPair ?? 'none'}</KeyValue>
      <KeyValue label="Security group">
        {nameOf(choices.securityGroups.items, values.securityGroup) ?? 'default'}
      </KeyValue>
    </KeyValues>
    <p className="mt-3 text-ink2">
      The console sends one request to Nova with your sign-in. The server uses the quota of your project.
    </p>
  </>
)

/** Creates the server with the sign-in of the person, after a confirmation that lists what will be created. */
export const CreateNow = ({
  form,
  choices,
  onCreated,
}: {
  form: ServerForm
  choices: ServerChoices | undefined
  onCreated: (server: CreatedServer) => void
}) => {
  const [requestKey, setRequestKey] = useState(newRequestKey)
  const create = useMutation(createServerOptions())
  const refusal = useRefusal('server.create') ?? form.problem
  const confirm = async () => {
    try {
      const server = await create.mutateAsync({ requestKey, ...form.input })
      setRequestKey(newRequestKey())
      onCreated(server)
    } catch (error) {
      // Without an answer the request may have arrived: with the same key it is not sent to Nova again.
      if (!(error instanceof ApiError) || error.status > 0) setRequestKey(newRequestKey())
      throw error
    }
  }
  return (
    <ConfirmButton
      size="body"
      label="Create now"
      title={`Create the server ${form.spec.name}?`}
      confirmLabel="Create server"
      confirmVariant="main"
      onConfirm={confirm}
      refusal={refusal}
    >
      {choices === undefined ? null : <Summary spec={form.spec} form={form} choices={choices} />}
    </ConfirmButton>
  )
}
