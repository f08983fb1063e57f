import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { AcknowledgeFinding } from '@/lib/schemas/api/finding-inputs'
import type { FindingMuteList } from '@/lib/schemas/api/finding-mute'
import { apiPaths } from '@/lib/util/paths'
import { requestJson } from './client'
import { findingKeys } from './finding-keys'

type Scope = { cloud: string | null }

export const findingMutesOptions = ({ cloud }: Scope) =>
  queryOptions({
    queryKey: findingKeys.mutes({ cloud }),
    queryFn: ({ signal }) => requestJson<FindingMuteList>({ path: apiPaths.findingMutes({ cloud }), signal }),
    refetchInterval: 20_000,
  })

export const muteFindingsOptions = ({ cloud, code }: Scope & { code: string }) =>
  mutationOptions({
    mutationKey: ['findings', 'mute', { cloud, code }],
    mutationFn: (body: AcknowledgeFinding) =>
      requestJson<FindingMuteList>({
        path: apiPaths.findingMute({ cloud, code }),
        method: 'PUT',
        body,
      }),
    onSuccess: (_list, _body, _result, { client }) => client.invalidateQueries({ queryKey: findingKeys.all }),
  })

export const unmuteFindingsOptions = ({ cloud, code }: Scope & { code: string }) =>
  mutationOptions({
    mutationKey: ['findings', 'unmute', { cloud, code }],
    mutationFn: () =>
      requestJson<FindingMuteList>({
        path: apiPaths.findingMute({ cloud, code }),
        method: 'DELETE',
      }),
    onSuccess: (_list, _nothing, _result, { client }) =>
      client.invalidateQueries({ queryKey: findingKeys.all }),
  })
