mod attacks;
mod frames;
mod tungstenite;
mod upgrades;
