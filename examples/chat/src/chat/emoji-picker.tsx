import { useTexts } from "./texts";

/** In the order of `emojis` in texts.ts. */
const groups = [
  "😀 😃 😄 😁 😆 😅 🤣 😂 🙂 😉 😊 😇 🥰 😍 🤩 😘 😋 😛 😜 🤪 🤗 🤭 🤫 🤔 🫡 😐 😏 😒 🙄 😬 😌 😔 😴 🤒 🤢 🥵 🥶 😵 🤯 🥳 😎 🤓 😕 🙁 😮 😳 🥺 😢 😭 😱 😖 😞 😤 😡 🤬 😈 💀 💩 👻 🤖",
  "👍 👎 👌 🤌 ✌️ 🤞 🤟 🤙 👈 👉 👆 👇 ☝️ ✋ 👋 💪 🙏 🤝 👏 🙌 🫶 🤲 ✍️ 💅 👀 🧠 🙋 🤷 🤦 🙇 💁 🏃 💃 🕺 👶 🧒 👩 👨 🧓 👪",
  "🐶 🐱 🐭 🐹 🐰 🦊 🐻 🐼 🐨 🐯 🦁 🐮 🐷 🐸 🐵 🐔 🐧 🐦 🦉 🐴 🦄 🐝 🦋 🐢 🐙 🐬 🐳 🌸 🌹 🌻 🌳 🌵 🍀 🍁 🌙 ⭐ ☀️ ⛅ 🌧️ ⛄",
  "🍎 🍊 🍋 🍌 🍉 🍇 🍓 🍑 🥑 🍅 🌽 🥕 🍞 🥐 🧀 🍳 🥞 🍗 🍔 🍟 🍕 🌭 🌮 🍜 🍝 🍣 🍱 🍙 🍚 🍰 🎂 🍪 🍫 🍿 ☕ 🍵 🧋 🍺 🍷 🥂",
  "⚽ 🏀 🏈 ⚾ 🎾 🏐 🎱 🏓 🏸 ⛳ 🎣 🎿 🏂 🏊 🚴 🏆 🥇 🎮 🎲 🧩 🎨 🎬 🎤 🎧 🎸 🎹 🎉 🎊 🎁 🎈 ✈️ 🚗 🚲 🚆 🏖️ 🏔️ 🏕️ 🏠 🌍 🎡",
  "❤️ 🧡 💛 💚 💙 💜 🖤 💔 💯 ✅ ❌ ❓ ❗ ⚠️ 🔥 ✨ ⚡ 💡 📌 📎 ✏️ 📅 📈 🔒 🔑 🔔 💬 💤 ⏰ ⌛ 💰 💻 📱 📷 🛠️ 🚀 🏁 🆗 ➕ ♻️",
];

/** All the reactions that the quick ones are not. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const { emojis } = useTexts();
  return (
    <div className="chat-picker">
      {groups.map((group, index) => (
        <section key={group}>
          <h3>{emojis[index]}</h3>
          {group.split(" ").map((emoji) => (
            <button key={emoji} type="button" aria-label={emoji} onClick={() => onPick(emoji)}>
              {emoji}
            </button>
          ))}
        </section>
      ))}
    </div>
  );
}
