/** Every limit of the interface. Lengths count Unicode code points; sizes count UTF-8 bytes. */
export const limits = {
  userId: { minLength: 4, maxLength: 80 },
  userName: { minLength: 1, maxLength: 80 },
  channelId: { minLength: 4, maxLength: 80 },
  /** Of messages, reports, erasures and webhooks. */
  assignedId: { minLength: 1, maxLength: 64 },
  channelName: { minLength: 1, maxLength: 150 },
  profileUrl: { maxLength: 2_048 },
  meta: { maxPairs: 10, maxKeyBytes: 100, maxValueBytes: 200 },
  userPage: { min: 5, max: 30, default: 15 },
  channelPage: { min: 5, max: 30, default: 15 },
  retentionDays: { min: 1, max: 36_500 },
  moderationReason: { minLength: 1, maxLength: 500 },
  banPage: { min: 1, max: 100, default: 30 },
  blocksPerUser: 1_000,
  blockPage: { min: 1, max: 100, default: 30 },
  usageDays: { min: 1, max: 365, default: 30 },
  reportPage: { min: 1, max: 100, default: 30 },
  erasurePage: { min: 1, max: 100, default: 30 },
  personalPage: { min: 1, max: 1_000, default: 100 },
  messagePage: { min: 1, max: 100, default: 30 },
  unreadCount: 100,
  reaction: { minLength: 1, maxLength: 32 },
  reactionsPerMessage: 20,
  reactionPage: { min: 1, max: 100, default: 30 },
  pinsPerChannel: 50,
  mentions: { min: 1, max: 50 },
  replyPage: { min: 1, max: 100, default: 30 },
  eventPage: { min: 1, max: 500, default: 100 },
  eventWaitSeconds: 25,
  /** Streams and lists that wait, of one process. */
  eventListeners: {
    perProcess: 1_100,
    perSubKey: 100,
    perUser: 10,
    keptForMasterKey: 100,
    keptForSubKeys: 100,
  },
  exportPage: { min: 100, max: 1_000, default: 100 },
  membersPerCreate: 100,
  membersPerChannel: 100,
  inboxMembers: 10,
  /** The pinned channels of a user. */
  pinnedChannels: 20,
  membersPerAddMany: { min: 1, max: 100 },
  channelsPerSendMany: { min: 1, max: 100 },
  managersPerChannel: 10,
  subKeys: 10,
  externalId: { minLength: 1, maxLength: 100 },
  messagesPerImport: { min: 1, max: 500 },
  deviceId: { minLength: 1, maxLength: 80 },
  deviceLocale: { maxLength: 35 },
  devicesPerUser: 25,
  pushToken: { maxLength: 4_096 },
  apnsTopic: { maxLength: 255 },
  webhooks: 10,
  webhookUrl: { maxLength: 2_048 },
  webhookDescription: { maxLength: 200 },
  webhookTypes: 100,
  webhookRotationHours: 24,
  attemptPage: { min: 1, max: 100, default: 30 },
  auditPage: { min: 1, max: 100, default: 30 },
  consoleActor: { maxLength: 80 },
  auditHeader: { minLength: 1, maxLength: 200 },
  nameQuery: { minLength: 1, maxLength: 80 },
  search: { query: { maxLength: 100 }, maxTerms: 8 },
  searchPage: { min: 1, max: 100, default: 30 },
  idsPerList: { min: 1, max: 50 },
  keyScopes: { min: 1, max: 20 },
  tokenSeconds: { min: 60, max: 86_400, default: 3_600 },
  keyLabel: { minLength: 1, maxLength: 80 },
  content: { maxLength: 65_536 },
  parts: {
    max: 200,
    maxBytes: 65_536,
    maxValues: 5_000,
    maxDepth: 20,
    type: { minLength: 1, maxLength: 80 },
  },
  append: { minLength: 1, maxLength: 16_384, perSecond: 50 },
  /** Messages that a user writes at once, with a token. */
  streamedMessages: 20,
  signal: { type: { minLength: 1, maxLength: 40 }, maxDataBytes: 1_000, perSecond: 20 },
  /** The content of all channels that get one announcement. */
  announcedBytes: 8_388_608,
  fileType: { minLength: 1, maxLength: 255 },
  fileName: { minLength: 1, maxLength: 255 },
  attachments: { min: 1, max: 10 },
  fileUrl: { minLength: 1, maxLength: 2_048 },
  idempotencyKey: { minLength: 1, maxLength: 255, retentionHours: 24 },
  bodyBytes: 1_048_576,
  importBodyBytes: 8_388_608,
} as const;

/** The characters of the ids of users and channels. */
export const idPattern = /^[a-z0-9_]*$/;

/** Whether a text can be the id of a user or a channel. */
export const isId = (text: string) =>
  idPattern.test(text) && text.length >= limits.userId.minLength && text.length <= limits.userId.maxLength;

/** What to do with ids of an application that have others, such as UUIDs and e-mail addresses. */
export const idHint = "ids.encode of the SDK and madang ids encode make an id of any other name.";
