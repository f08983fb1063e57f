/** GPUs of one change, by selection, by filter or of a host, an aggregate or a type. */
export const MAX_CHANGE_GPUS = 1000
/** GPUs in the address of a page: browsers and servers take 16 kB. More are selected by a filter. */
export const MAX_ADDRESS_GPUS = 200
