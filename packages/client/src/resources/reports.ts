import type { NewReport, Report, ReportChange, ReportsListQuery } from "../generated/types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions } from "../paging/page";
import type { Pager } from "../paging/pager";
import type { Api } from "../transport/call";

/** Which reports, where to begin, and the page size. */
export interface ReportListOptions extends ListOptions, ReportsListQuery {}

/** `chat.reports` */
export class Reports {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Reports a message, a user or a channel to the moderators. Throws `NotFoundError` when one of them does not exist.
   *
   * @param report The channel, why, and optionally the message, the user, and who reports.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { report_id } = await chat.reports.create({ channel_id: "room_1", reported_user_id: "park_03", reason: "Advertising" });
   */
  create(report: NewReport, options?: CallOptions): Promise<Report> {
    return this.#api.call("reports.create", { body: report }, options);
  }

  /**
   * Lists reports, newest first.
   *
   * @param page Which status, where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const { report_id, reason } of chat.reports.list({ status: "open" })) console.log(report_id, reason);
   */
  list(page: ReportListOptions = {}, options?: CallOptions): Pager<Report> {
    return createPager(this.#api, "reports.list", page, options, {
      read: ({ reports, next }) => ({ items: reports, next }),
    });
  }

  /**
   * Gets a report. Throws `NotFoundError` when it does not exist.
   *
   * @param reportId The id of the report, as the service returned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { status } = await chat.reports.get("rep_1");
   */
  get(reportId: string, options?: CallOptions): Promise<Report> {
    return this.#api.call("reports.get", { path: { report_id: reportId } }, options);
  }

  /**
   * Resolves a report, or opens it again, which removes its resolution. Throws `NotFoundError` when it does not exist.
   *
   * @param reportId The id of the report, as the service returned it.
   * @param change The status, and what was decided.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.reports.resolve("rep_1", { status: "resolved", resolution: "The message was deleted." });
   */
  resolve(reportId: string, change: ReportChange, options?: CallOptions): Promise<Report> {
    return this.#api.call("reports.resolve", { path: { report_id: reportId }, body: change }, options);
  }
}
